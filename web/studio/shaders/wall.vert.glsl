attribute vec2 side; // which way the wall looks
varying vec2 vPlace;
varying vec3 vWorld;
varying vec2 vSide;

void main() {
  vPlace = placeOf(position.xy);
  vSide = side;
  vWorld = worldOf(vPlace, position.z > 0.5 ? uFoot : topAt(vPlace));
  gl_Position = projectionMatrix * viewMatrix * vec4(vWorld, 1.0);
}
