uniform float uSteep; // what counts as steep on this land
uniform float uClear; // depth in which two thirds of the light are gone [scene units]
uniform float uTime;
uniform vec2 uDrift;  // where the eye is, so that waves stay where they are [scene units]
uniform float uFar;   // where the land ends in haze [scene units]
uniform float uLow;   // the ground's usual foot [scene units]
varying vec2 vCells;
varying vec2 vParent;
varying vec3 vWorld;
flat varying vec4 vOwn;
flat varying vec3 vFrame;
varying float vMorph;
varying vec2 vGrain;

// Unevenness as large as some pixels, whatever the level: it neither swims nor jumps as one comes near.
// What is smaller than a cell repeats within the chunk, and is counted there: more digits are left.
vec3 rough(vec2 pixels) {
  float size = clamp(log2(length(pixels) * 7.0), -9.0, 3.0);
  float coarse = ceil(size);
  float share = coarse - size;
  vec2 cells = coarse < -3.0 ? vCells : vGrain;
  vec3 a = grainOver(cells * exp2(-coarse), 256.0);
  vec3 b = grainOver(cells * exp2(1.0 - coarse), 256.0);
  vec3 c = grainOver(cells * exp2(-1.0 - coarse), 256.0);
  return 0.5 * mix(a, b, share) + 0.5 * mix(c, a, share);
}

const vec3 STONE = vec3(0.19, 0.165, 0.145); // linear
const vec3 WOOD = vec3(0.022, 0.042, 0.016);

// Woods where the land is green and not too steep: their edges are ragged, their crowns uneven.
vec3 wooded(vec3 tint, vec2 place, float steep) {
  float green = smoothstep(0.01, 0.05, tint.g - max(tint.r, tint.b));
  float pixel = length(fwidth(place));
  vec3 wide = grainOver(place * 0.25, 128.0);
  float edge = wide.x + 0.5 * (grainOver(place, 512.0).x - 0.5) + 0.3 * (grainOver(place * 4.0, 2048.0).x - 0.5);
  float share = green * smoothstep(0.42, 0.56, edge) * (1.0 - smoothstep(0.5, 0.85, steep));
  float crowns = mix(1.0, 0.55 + 0.9 * grainOver(place * 16.0, 8192.0).x, 1.0 - smoothstep(0.02, 0.12, pixel));
  return mix(tint, WOOD * crowns, 0.72 * share);
}

void main() {
  vec3 eye = normalize(cameraPosition - vWorld);
  float cell = vFrame.z / uChunk.x;
  vec2 levels = levelsAt(vOwn.x, vCells);
  vec2 slope = slopeAt(vOwn.x, vCells, cell);
  vec4 tint = colourAt(vOwn.x, vCells);
  if (vMorph > 0.0) {
    levels = mix(levels, levelsAt(vOwn.y, vParent), vMorph);
    slope = mix(slope, slopeAt(vOwn.y, vParent, 2.0 * cell), vMorph);
    tint = mix(tint, colourAt(vOwn.y, vParent), vMorph);
  }
  float depth = max(levels.y - levels.x, 0.0) * uUnit;
  vec3 smoothed = normalize(vec3(-slope.x, 1.0, -slope.y));
  float running = tint.a * (1.0 - step(0.001, depth));
  vec2 place = vWorld.xz + uDrift;
  float stony = smoothstep(0.4, 1.2, length(slope) / uSteep);
  vec3 mottle = rough(fwidth(vCells));
  float bumpy = (0.10 + 0.34 * stony) * min(1.0, 0.25 + uSteep) * (1.0 - running);
  vec3 normal = normalize(smoothed - vec3(mottle.y, 0.0, mottle.z) * (depth > 0.0 ? 0.4 : 1.0) * bumpy);
  vec3 colour = wooded(tint.rgb, place, length(slope));
  colour = mix(colour, STONE * (0.7 + 0.6 * mottle.x), (1.0 - running) * 0.8 * smoothstep(0.65, 1.2, length(slope) + 0.5 * mottle.x - 0.25));
  colour *= 0.86 + 0.30 * mottle.x;
  float shine = dot(normal, uSun);
  // Slopes that turn from the sun see less of the sky too.
  float open = 0.78 + 0.22 * smoothstep(-0.3, 0.6, shine);
  vec3 light = uSunlight * max(shine, 0.0) + 1.45 * skylight(normal) * open;
  vec3 seen = colour * light;
  if (running > 0.02) seen += gloss(normalize(smoothed + vec3(0.0, 1.2, 0.0)), eye, 1.0, 60.0) * running * 0.8;
  if (depth > 0.0) {
    seen = underWater(seen, ripples(vWorld.xz + uDrift, uTime), eye, depth, 1.0, uClear);
  }
  vec3 veiled = throughAir(seen, vWorld, uLow);
  float away = length(vWorld.xz);
  vec3 way = normalize(vWorld - cameraPosition);
  veiled = mix(veiled, skyAt(normalize(vec3(way.x, max(way.y, 0.0), way.z))), smoothstep(0.55 * uFar, 0.97 * uFar, away));
  gl_FragColor = vec4(graded(veiled), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
  gl_FragColor.rgb = dithered(gl_FragColor.rgb);
}
