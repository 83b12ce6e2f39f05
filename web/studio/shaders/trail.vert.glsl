// A ribbon of so many pixels' width along a droplet's way, whatever the distance.
attribute vec3 before;
attribute vec3 after;
attribute float side;
attribute vec3 told;  // water and load as shares of the most, time since the start
uniform vec2 uScreen; // [pixels]
uniform vec2 uWide;   // half the width without water, and with the most [pixels]
varying float vSide;
varying float vWide;
varying vec2 vTold;

vec2 onScreen(vec3 place) {
  vec4 clip = projectionMatrix * viewMatrix * vec4(place, 1.0);
  return clip.xy / max(clip.w, 1e-3) * uScreen;
}

void main() {
  vec2 way = onScreen(after) - onScreen(before);
  way = dot(way, way) > 1e-6 ? normalize(way) : vec2(1.0, 0.0);
  vWide = mix(uWide.x, uWide.y, told.x);
  vSide = side;
  vTold = told.yz;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
  gl_Position.xy += vec2(-way.y, way.x) * (2.0 * side * vWide * gl_Position.w) / uScreen;
  gl_Position.z -= 8e-5 * gl_Position.w; // in front of a ground that is drawn with fewer points
}
