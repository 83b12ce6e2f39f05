uniform float uClear;
varying vec2 vPlace;
varying vec3 vWorld;
varying vec2 vSide;

// Beds of earth: colours by height, folded and torn a little along the wall.
vec3 earth(vec2 at, float under) {
  float pixel = length(fwidth(at));
  float fold = 2.2 * grain(vec2(at.x * 0.055, 3.0)).x + 0.7 * grain(vec2(at.x * 0.21, 8.0)).x;
  float level = at.y * 0.62 + fold - 0.10 * under;
  float bed = floor(level);
  float within = level - bed;
  vec3 ochre = vec3(0.235, 0.150, 0.082);
  vec3 umber = vec3(0.120, 0.082, 0.056);
  vec3 chalk = vec3(0.300, 0.245, 0.180);
  float pick = hash21(vec2(bed, 4.0));
  vec3 colour = pick < 0.45 ? mix(umber, ochre, pick / 0.45) : mix(ochre, chalk, (pick - 0.45) / 0.55 * 0.8);
  float seam = smoothstep(0.0, 0.10 + pixel, within) * smoothstep(0.0, 0.05 + pixel, 1.0 - within);
  colour *= 0.80 + 0.20 * seam;
  float thin = grain(vec2(at.x * 0.35, level * 7.0)).x * (1.0 - smoothstep(0.1, 0.35, pixel));
  float grit = grain(at * 5.3).x * (1.0 - smoothstep(0.06, 0.2, pixel));
  colour *= 0.88 + 0.16 * thin + 0.12 * grit;
  vec3 soil = vec3(0.052, 0.040, 0.028);
  return mix(soil, colour, smoothstep(0.30, 0.55, under + 0.25 * (fold * 0.2 - 0.3)));
}

void main() {
  vec3 normal = vec3(vSide.x, 0.0, vSide.y);
  float ground = groundAt(vPlace);
  float along = dot(vWorld.xz, vec2(-vSide.y, vSide.x)) + 200.0 + 57.0 * vSide.x + 23.0 * vSide.y;
  float lifted = vWorld.y - uFoot;
  float open = mix(0.42, 1.0, 1.0 - exp(-0.16 * lifted));
  vec3 light = uSunlight * max(dot(normal, uSun), 0.0) * 0.85 + skylight(normal) * (1.45 * open);
  vec3 seen = earth(vec2(along, lifted), ground - vWorld.y) * light;
  float depth = waterAt(vPlace) - vWorld.y;
  if (uWet > 0.0 && vWorld.y > ground && depth > 0.0) {
    float murk = 1.0 - exp(-depth / uClear * 0.7);
    vec3 water = mix(vec3(0.055, 0.235, 0.270), vec3(0.012, 0.085, 0.125), murk);
    seen = water * (light * 0.75 + 0.25 * skylight(vec3(0.0, 1.0, 0.0)));
    seen += vec3(0.20, 0.26, 0.27) * (1.0 - smoothstep(0.0, 0.10 + fwidth(vWorld.y), depth));
  }
  gl_FragColor = vec4(graded(throughAir(seen, vWorld, uFoot)), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
  gl_FragColor.rgb = dithered(gl_FragColor.rgb);
}
