// Small irregular things: a hash, smooth value noise with its slope, and their sum.
float hash21(vec2 p) {
  p = fract(p * vec2(0.1031, 0.1030));
  p += dot(p, p.yx + 33.33);
  return fract((p.x + p.y) * p.x * 7.13);
}

// Between the values at four corners: value in x, slope in yz.
vec3 between(vec2 f, float a, float b, float c, float d) {
  vec2 u = f * f * (3.0 - 2.0 * f);
  vec2 du = 6.0 * f * (1.0 - f);
  float k = a - b - c + d;
  return vec3(a + (b - a) * u.x + (c - a) * u.y + k * u.x * u.y,
              du * (vec2(b - a, c - a) + k * u.yx));
}

// Value in x, slope in yz.
vec3 grain(vec2 p) {
  vec2 i = floor(p);
  return between(p - i, hash21(i), hash21(i + vec2(1.0, 0.0)), hash21(i + vec2(0.0, 1.0)), hash21(i + 1.0));
}

// The same, but repeating without a seam.
vec3 grainOver(vec2 p, float period) {
  vec2 i = floor(p);
  vec2 a = mod(i, period);
  vec2 b = mod(i + 1.0, period);
  return between(p - i, hash21(a), hash21(vec2(b.x, a.y)), hash21(vec2(a.x, b.y)), hash21(b));
}
