varying vec3 vWorld;

void main() {
  vWorld = vec3(position.x, uFoot, position.y);
  gl_Position = projectionMatrix * viewMatrix * vec4(vWorld, 1.0);
}
