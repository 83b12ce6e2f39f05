// Gradient noise as the engine's kernels make it (downcut/fields/lattice.py): the same cells, hash
// and gradients; places are fixed-point, 32 bits of cell and 32 of fraction.
uniform highp usampler2D uColumns; // (octave, column): cell and fraction of u, of v
uniform highp usampler2D uRows;
uniform highp usampler2D uOctaves; // (octave, 0): its key; (octave, 1): how far it has drifted
uniform highp sampler2D uWeights;  // (octave, 0)
uniform int uCount;
uniform int uSquare;               // 1 for Perlin's squares, 0 for triangles
uniform vec3 uForm;                // bend·|n| + slope·n + rise
uniform float uLevel;

const float G2 = 0.21132486540518713;
const float C1 = 0.9807852804032304;
const float S1 = 0.19509032201612825;
const float C3 = 0.8314696123025452;
const float S3 = 0.5555702330196022;

uint hashOf(uint i, uint j, uint key) {
  uint h = (i * 0x9E3779B1u) ^ (j * 0x85EBCA77u);
  h = (h ^ key) * 0x2C1B3C6Du;
  h ^= h >> 15u;
  return h * 0x297A2D39u;
}

float slopeOf(uint h, vec2 at) {
  bool steep = (h & 0x80000000u) != 0u;
  vec2 pq = (h & 0x40000000u) != 0u ? at.yx : at;
  pq *= steep ? vec2(C1, S1) : vec2(C3, S3);
  if ((h & 0x20000000u) != 0u) pq.y = -pq.y;
  return (h & 0x10000000u) != 0u ? -pq.x - pq.y : pq.x + pq.y;
}

float cornerOf(uint h, vec2 at) {
  float t = max(0.5 - dot(at, at), 0.0);
  t *= t;
  return t * t * slopeOf(h, at);
}

// The upper 24 bits of a fraction, which a float holds exactly.
float shareOf(uint fraction) {
  return float(fraction >> 8u) * 5.9604644775390625e-8;
}

float simplexAt(uvec4 at, uint key) {
  vec2 f = vec2(shareOf(at.y), shareOf(at.w));
  vec2 a = f - (f.x + f.y) * G2;
  uint right = f.x > f.y ? 1u : 0u;
  vec2 b = a - vec2(float(right), float(1u - right)) + G2;
  vec2 c = a - 1.0 + 2.0 * G2;
  float n = cornerOf(hashOf(at.x, at.z, key), a);
  n += cornerOf(hashOf(at.x + right, at.z + 1u - right, key), b);
  n += cornerOf(hashOf(at.x + 1u, at.z + 1u, key), c);
  return 99.20433458271871 * n;
}

float perlinAt(uvec4 at, uint key) {
  vec2 f = vec2(shareOf(at.y), shareOf(at.w));
  float a = slopeOf(hashOf(at.x, at.z, key), f);
  float b = slopeOf(hashOf(at.x + 1u, at.z, key), f - vec2(1.0, 0.0));
  float c = slopeOf(hashOf(at.x, at.z + 1u, key), f - vec2(0.0, 1.0));
  float d = slopeOf(hashOf(at.x + 1u, at.z + 1u, key), f - 1.0);
  vec2 s = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
  return 1.4142135623730951 * mix(mix(a, b, s.x), mix(c, d, s.x), s.y);
}

// Adds two places of the lattice; a full fraction is one cell more.
uvec4 sumOf(uvec4 a, uvec4 b) {
  uvec2 fraction = a.yw + b.yw;
  uvec2 cell = a.xz + b.xz + uvec2(lessThan(fraction, b.yw));
  return uvec4(cell.x, fraction.x, cell.y, fraction.y);
}

float fieldAt(ivec2 cell) {
  float sum = uLevel;
  for (int k = 0; k < uCount; k++) {
    uvec4 at = sumOf(texelFetch(uColumns, ivec2(cell.x, k), 0), texelFetch(uRows, ivec2(cell.y, k), 0));
    at = sumOf(at, texelFetch(uOctaves, ivec2(k, 1), 0));
    uint key = texelFetch(uOctaves, ivec2(k, 0), 0).r;
    float n = uSquare == 1 ? perlinAt(at, key) : simplexAt(at, key);
    sum += texelFetch(uWeights, ivec2(k, 0), 0).r * (uForm.x * abs(n) + uForm.y * n + uForm.z);
  }
  return sum;
}
