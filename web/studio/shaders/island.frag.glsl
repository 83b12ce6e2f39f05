// The island mask as downcut/fields/island.py makes it.
uniform vec2 uNorthWest; // middle of the first cell [m]
uniform float uCell;     // [m]
uniform vec2 uCentre;    // [m]
uniform float uRadius;   // [m]
uniform float uCrest;
uniform float uRim;
uniform float uSquareness;
uniform float uSteepness;

float fieldAt(ivec2 cell) {
  vec2 at = uNorthWest + vec2(cell.x, -cell.y) * uCell;
  vec2 away = abs(at - uCentre) / uRadius;
  float far = uSquareness * max(away.x, away.y) + (1.0 - uSquareness) * length(away);
  float inside = clamp(1.0 - far, 0.0, 1.0);
  inside = inside * uSteepness / (1.0 + (uSteepness - 1.0) * inside);
  return uRim + (uCrest - uRim) * inside;
}
