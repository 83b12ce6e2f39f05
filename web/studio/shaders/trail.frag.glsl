uniform vec3 uClear;
uniform vec3 uLaden;
uniform float uBeats; // dashes in a unit of time: they are long where the droplet is fast
varying float vSide;
varying float vWide;
varying vec2 vTold;

void main() {
  float off = abs(vSide) * vWide;
  float rim = vWide - off; // pixels to the edge
  vec3 colour = mix(uClear, uLaden, vTold.x);
  float beat = fract(vTold.y * uBeats);
  float dash = smoothstep(0.0, 0.12, beat) * (1.0 - smoothstep(0.42, 0.54, beat));
  colour = mix(colour, vec3(1.0), 0.85 * dash * (1.0 - smoothstep(0.25, 0.55, off / vWide)));
  colour = mix(vec3(0.05, 0.09, 0.14), colour, smoothstep(0.4, 1.5, rim));
  gl_FragColor = vec4(colour, smoothstep(0.0, 0.8, rim));
}
