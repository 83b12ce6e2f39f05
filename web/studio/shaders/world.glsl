// An endless land: chunks in layers of two textures, placed relative to the eye.
uniform highp sampler2DArray uHeights; // ground and level of the water [m], cell by cell
uniform highp sampler2DArray uColours;
uniform vec2 uChunk;  // cells along a chunk; along a layer, its border included
uniform float uUnit;  // scene units a metre

// Ground and water [m] at a place of a layer, in cells from the chunk's north-west corner.
vec2 levelsAt(float slot, vec2 cells) {
  vec2 at = cells + 0.5 * (uChunk.y - uChunk.x);
#ifdef NEAREST
  vec2 last = vec2(uChunk.y - 1.0);
  vec2 from = at - 0.5;
  ivec3 a = ivec3(clamp(floor(from), vec2(0.0), last), slot);
  ivec3 b = ivec3(clamp(floor(from) + 1.0, vec2(0.0), last), slot);
  vec2 s = clamp(from - vec2(a.xy), 0.0, 1.0);
  return mix(
    mix(texelFetch(uHeights, a, 0).rg, texelFetch(uHeights, ivec3(b.x, a.yz), 0).rg, s.x),
    mix(texelFetch(uHeights, ivec3(a.x, b.yz), 0).rg, texelFetch(uHeights, b, 0).rg, s.x), s.y);
#else
  return texture(uHeights, vec3(at / uChunk.y, slot)).rg;
#endif
}

vec2 slopeAt(float slot, vec2 cells, float cell) {
  float east = levelsAt(slot, cells + vec2(1.0, 0.0)).x - levelsAt(slot, cells - vec2(1.0, 0.0)).x;
  float south = levelsAt(slot, cells + vec2(0.0, 1.0)).x - levelsAt(slot, cells - vec2(0.0, 1.0)).x;
  return vec2(east, south) * uUnit / (2.0 * cell);
}

vec4 colourAt(float slot, vec2 cells) {
  return texture(uColours, vec3((cells + 0.5 * (uChunk.y - uChunk.x)) / uChunk.y, slot));
}
