varying vec2 vPlace;
varying vec3 vWorld;

void main() {
  vPlace = placeOf(position.xy);
  vWorld = worldOf(vPlace, topAt(vPlace));
  gl_Position = projectionMatrix * viewMatrix * vec4(vWorld, 1.0);
}
