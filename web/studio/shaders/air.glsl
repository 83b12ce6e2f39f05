// Sun, sky and haze: one set of colours for all that is lit. Directions point away from the eye.
uniform vec3 uSun;      // towards the sun
uniform vec3 uSunlight; // its light, linear
uniform vec3 uZenith;
uniform vec3 uHorizon;
uniform vec3 uGlow;     // round the sun
uniform vec3 uBounce;   // light that the ground sends up
uniform float uHaze;    // share of light lost, a scene unit

vec3 skyAt(vec3 way) {
  float up = max(way.y, 0.0);
  vec3 sky = mix(uHorizon, uZenith, 1.0 - exp(-4.6 * up));
  float near = max(dot(way, uSun), 0.0);
  float low = exp(-2.5 * up);
  return sky + uGlow * (0.10 * pow(near, 3.0) * low + 0.30 * pow(near, 14.0) + 0.55 * pow(near, 180.0));
}

// Light of the whole sky on a surface (irradiance over pi).
vec3 skylight(vec3 normal) {
  vec3 sky = mix(uHorizon, uZenith, 0.50 + 0.22 * normal.y);
  float side = dot(normal.xz, normalize(uSun.xz + 1e-4));
  return mix(uBounce, sky, 0.5 + 0.5 * normal.y) * 0.60 + uGlow * 0.07 * max(0.3 + side, 0.0);
}

// What a colour becomes on its way to the eye; haze lies in the valleys.
vec3 throughAir(vec3 colour, vec3 world, float low) {
  vec3 way = world - cameraPosition;
  float far = length(way);
  way /= far;
  float dense = uHaze * (0.45 + 0.85 * exp(-max(world.y - low, 0.0) * 0.11));
  // A camera that draws back to see all the land sees it no more hazily.
  float off = length(cameraPosition);
  float share = 1.0 - exp(-dense * max(far - max(0.55 * off, off - 100.0), 0.0));
  vec3 veil = mix(skyAt(normalize(vec3(way.x, 0.06, way.z))), uZenith, 0.22);
  return mix(colour, veil, share);
}

// Breaks up the bands that eight bits make of a calm gradient.
vec3 dithered(vec3 colour) {
  float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  return colour + (grain - 0.5) / 255.0;
}

// A little more colour and depth than the light alone gives, as a print has.
vec3 graded(vec3 colour) {
  float grey = dot(colour, vec3(0.2126, 0.7152, 0.0722));
  return max(mix(vec3(grey), colour, 1.14), 0.0);
}
