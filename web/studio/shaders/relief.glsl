// The land as textures: heights in metres at cell centres, row 0 north; places go from 0 to 1.
uniform highp sampler2D uHeight;
uniform highp sampler2D uWater; // level of the water [m], below the ground where it is dry
uniform float uWet;             // 1 where levels are known, 2 where all below uSea is wet
uniform float uSea;             // [m]
uniform vec2 uCells;            // columns, rows
uniform vec2 uSize;             // the land's edges [scene units]
uniform float uUp;              // scene units a metre, upward
uniform float uDatum;           // the elevation [m] at y = 0
uniform float uFoot;            // where the block stands [scene units]

// A place in the sheet, 0 at the first cell's middle and 1 at the last's, as a place in the land.
vec2 placeOf(vec2 sheet) {
  return (0.5 + sheet * (uCells - 1.0)) / uCells;
}

float metres(highp sampler2D layer, vec2 place) {
#ifdef NEAREST
  vec2 at = place * uCells - 0.5;
  vec2 last = uCells - 1.0;
  ivec2 a = ivec2(clamp(floor(at), vec2(0.0), last));
  ivec2 b = ivec2(clamp(floor(at) + 1.0, vec2(0.0), last));
  vec2 s = clamp(at - vec2(a), 0.0, 1.0);
  return mix(
    mix(texelFetch(layer, a, 0).r, texelFetch(layer, ivec2(b.x, a.y), 0).r, s.x),
    mix(texelFetch(layer, ivec2(a.x, b.y), 0).r, texelFetch(layer, b, 0).r, s.x), s.y);
#else
  return texture2D(layer, place).r;
#endif
}

float groundAt(vec2 place) {
  return max((metres(uHeight, place) - uDatum) * uUp, uFoot);
}

float waterAt(vec2 place) {
  if (uWet == 0.0) return -1e9;
  return ((uWet > 1.5 ? uSea : metres(uWater, place)) - uDatum) * uUp;
}

float topAt(vec2 place) {
  return max(groundAt(place), waterAt(place));
}

vec3 worldOf(vec2 place, float y) {
  return vec3((place.x - 0.5) * uSize.x, y, (place.y - 0.5) * uSize.y);
}

vec3 groundNormal(vec2 place) {
  vec2 cell = 1.0 / uCells;
  float east = metres(uHeight, place + vec2(cell.x, 0.0)) - metres(uHeight, place - vec2(cell.x, 0.0));
  float south = metres(uHeight, place + vec2(0.0, cell.y)) - metres(uHeight, place - vec2(0.0, cell.y));
  vec2 run = 2.0 * uSize * cell;
  return normalize(vec3(-east * uUp / run.x, 1.0, -south * uUp / run.y));
}
