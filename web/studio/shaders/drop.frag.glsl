uniform float uAcross;

void main() {
  float rim = (1.0 - 2.0 * length(gl_PointCoord - 0.5)) * 0.5 * uAcross;
  vec3 colour = mix(vec3(0.05, 0.09, 0.14), vec3(0.93, 0.98, 1.0), smoothstep(1.0, 2.2, rim));
  gl_FragColor = vec4(colour, smoothstep(0.0, 1.0, rim));
}
