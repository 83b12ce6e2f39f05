uniform sampler2D uFloorShade;
uniform sampler2D uFloorOpen;
uniform float uReach; // edge of what the block shades, in edges of the land
varying vec3 vWorld;

void main() {
  vec2 at = vWorld.xz / uSize / uReach + 0.5;
  vec2 rim = min(at, 1.0 - at);
  float inside = smoothstep(0.0, 0.06, min(rim.x, rim.y));
  float sun = mix(1.0, texture2D(uFloorShade, at).r, inside);
  float open = mix(1.0, texture2D(uFloorOpen, at).r, inside);
  vec3 up = vec3(0.0, 1.0, 0.0);
  vec3 colour = vec3(0.40, 0.385, 0.36);
  vec3 seen = colour * (uSunlight * uSun.y * sun * 0.55 + (skylight(up) + 0.12 * uSunlight * uSun.y) * open * open);
  vec3 way = normalize(vWorld - cameraPosition);
  vec3 edge = skyAt(normalize(vec3(way.x, 0.0, way.z)));
  float far = length(vWorld.xz);
  seen = mix(throughAir(seen, vWorld, uFoot), edge, smoothstep(45.0, 300.0, far));
  gl_FragColor = vec4(seen, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
  gl_FragColor.rgb = dithered(gl_FragColor.rgb);
}
