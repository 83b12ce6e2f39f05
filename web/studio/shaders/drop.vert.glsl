uniform float uAcross; // [pixels of the drawing]

void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_Position.z -= 1e-4 * gl_Position.w;
  gl_PointSize = uAcross;
}
