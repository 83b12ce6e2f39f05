varying vec3 vWay;

void main() {
  vec3 way = normalize(vWay);
  vec3 seen = skyAt(way);
  float disc = smoothstep(0.99982, 0.99992, dot(way, uSun)) * smoothstep(-0.01, 0.01, way.y);
  gl_FragColor = vec4(seen + 2.5 * uSunlight * disc, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
  gl_FragColor.rgb = dithered(gl_FragColor.rgb);
}
