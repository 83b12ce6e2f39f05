uniform sampler2D uTint;
uniform float uPlain;    // 1 where its colours tell nothing of its forms
uniform float uTinted;   // 1 where the land's own colours are known
uniform sampler2D uLook; // by height and slope, what colours such a land had
uniform float uLooked;   // 1 where that is known
uniform float uRange;    // from the lowest to the highest place [m]
uniform float uFlat;     // a slope in the scene times this is the land's
uniform sampler2D uShade; // share of the sun that comes in
uniform sampler2D uOpen;  // share of the sky that comes in
uniform highp sampler2D uBefore;
uniform float uChanges;  // 1 shows what changed
uniform float uChange;   // [m], what nearly a full colour stands for
uniform float uSteep;    // what counts as steep on this land [m/m, exaggerated]
uniform float uClear;    // depth in which two thirds of the light are gone [scene units]
uniform float uTime;
varying vec2 vPlace;
varying vec3 vWorld;

const vec3 RIVER = vec3(0.030, 0.085, 0.125);

vec3 bareColour(vec3 normal, float high) {
  float rock = smoothstep(0.7, 1.3, length(normal.xz) / normal.y / uSteep);
  vec3 green = mix(vec3(0.085, 0.125, 0.048), vec3(0.26, 0.23, 0.15), clamp(high, 0.0, 1.0));
  return mix(green, vec3(0.24, 0.21, 0.18), rock);
}

// Turns a normal by unevenness finer than the cells, as far as the screen can show it.
vec3 uneven(vec3 normal, vec2 place, float pixel, float rough, out float mottle) {
  vec2 at = place * uCells;
  vec3 coarse = vec3(0.5, 0.0, 0.0);
  vec3 fine = coarse;
  vec3 finest = coarse;
  if (pixel < 1.1) coarse = mix(coarse, grain(at * 0.9), 1.0 - smoothstep(0.35, 1.1, pixel));
  if (pixel < 0.32) fine = mix(fine, grain(at * 3.1 + 17.0), 1.0 - smoothstep(0.10, 0.32, pixel));
  if (pixel < 0.09) finest = mix(finest, grain(at * 11.3 + 5.0), 1.0 - smoothstep(0.03, 0.09, pixel));
  vec2 slope = 0.9 * coarse.yz + 0.9 * fine.yz + 0.8 * finest.yz;
  mottle = 0.4 * coarse.x + 0.35 * fine.x + 0.25 * finest.x;
  return normalize(normal - vec3(slope.x, 0.0, slope.y) * rough);
}

// How far a place lies above what is round it, of what is steep here: crests 1, hollows -1.
float crestAt(vec2 place) {
  vec2 far = 2.5 / uCells + 0.006;
  float ring = metres(uHeight, place + vec2(far.x, 0.0)) + metres(uHeight, place - vec2(far.x, 0.0))
    + metres(uHeight, place + vec2(0.0, far.y)) + metres(uHeight, place - vec2(0.0, far.y));
  float above = (metres(uHeight, place) - 0.25 * ring) * uUp;
  return clamp(above / (0.22 * uSteep * far.x * uSize.x), -1.0, 1.0);
}

// Moss, meadow, straw and bare earth, as high and steep as this land gets.
vec3 meadow(vec2 place, vec3 normal) {
  float share = (metres(uHeight, place) - uDatum) / uRange;
  float crest = crestAt(place);
  float dry = clamp(share + 0.4 * crest, 0.0, 1.0);
  vec3 grass = mix(vec3(0.040, 0.105, 0.045), vec3(0.160, 0.200, 0.062), smoothstep(0.05, 0.5, dry));
  grass = mix(grass, vec3(0.42, 0.320, 0.150), smoothstep(0.45, 0.9, dry));
  float bare = smoothstep(0.75, 1.6, length(normal.xz) / normal.y / uSteep + 0.25 * crest);
  return mix(grass, vec3(0.235, 0.165, 0.105), bare) * (1.0 + 0.28 * crest);
}

vec3 landColour(vec2 place, vec3 normal, out float running) {
  running = 0.0;
  if (uTinted > 0.5) {
    vec4 tint = texture2D(uTint, place);
    running = tint.a;
    return tint.rgb;
  }
  float high = (groundAt(place) - uFoot) * 0.04;
  float share = (metres(uHeight, place) - uDatum) / uRange;
  float slope = uFlat * length(normal.xz) / normal.y;
  vec3 look = texture2D(uLook, vec2(share, slope / (slope + 0.5))).rgb;
  return mix(bareColour(normal, high), look, uLooked);
}

vec3 marked(vec3 colour, vec2 place) {
  if (uChanges <= 0.0) return colour;
  float change = (metres(uHeight, place) - metres(uBefore, place)) / uChange;
  vec3 mark = change < 0.0 ? vec3(0.36, 0.055, 0.022) : vec3(0.018, 0.105, 0.30);
  float share = 0.95 * (1.0 - exp(-1.6 * abs(change)));
  return mix(vec3(dot(colour, vec3(0.25, 0.6, 0.15))) * 0.8 + 0.05, mark, share);
}

void main() {
  vec3 eye = normalize(cameraPosition - vWorld);
  float depth = max(waterAt(vPlace) - groundAt(vPlace), 0.0);
  // Light bends in water: the bed is seen further in.
  vec2 bed = vPlace - eye.xz / max(eye.y, 0.25) * min(depth, 2.0) * 0.6 / uSize;
  vec3 smoothed = groundNormal(bed);
  float running, mottle;
  vec3 colour = landColour(bed, smoothed, running);
  if (uPlain > 0.0) {
    float grassy = smoothstep(0.0, 0.2, 1.0 - colour.r / max(colour.g, 1e-3)) * (1.0 - running);
    colour = mix(colour, meadow(bed, smoothed), 0.92 * uPlain * grassy);
  }
  float stony = smoothstep(0.4, 1.2, length(smoothed.xz) / smoothed.y / uSteep);
  float rough = (0.07 + 0.30 * stony) * min(1.0, 0.25 + uSteep) * (1.0 - running);
  float pixel = length(fwidth(bed * uCells)); // cells that a pixel spans
  vec3 normal = uneven(smoothed, bed, pixel, depth > 0.0 ? 0.4 * rough : rough, mottle);
  colour *= 0.88 + 0.26 * mottle;
  if (pixel < 0.8) {
    float beds = grain(vec2(vWorld.y * 5.0 + 0.6 * mottle, 7.0)).x - 0.5;
    colour *= 1.0 + 0.22 * beds * stony * (1.0 - smoothstep(0.2, 0.8, pixel));
  }
  colour = marked(colour, bed);
  float sun = texture2D(uShade, vPlace).r;
  float open = texture2D(uOpen, vPlace).r;
  vec3 light = uSunlight * (max(dot(normal, uSun), 0.0) * sun) + skylight(normal) * open;
  vec3 seen = colour * light;
  if (running > 0.02) seen += gloss(normalize(smoothed + vec3(0.0, 1.2, 0.0)), eye, sun, 60.0) * running * 0.8;
  if (depth > 0.0) seen = underWater(seen, ripples(vWorld.xz, uTime), eye, depth, sun, uClear);
  gl_FragColor = vec4(graded(throughAir(seen, vWorld, uFoot)), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
  gl_FragColor.rgb = dithered(gl_FragColor.rgb);
}
