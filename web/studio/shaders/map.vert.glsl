varying vec2 vPlace;

void main() {
  vec3 world = vec3(position.x * uSize.x * 1.4, 0.0, -position.y * uSize.y * 1.4);
  vPlace = world.xz / uSize + 0.5;
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
}
