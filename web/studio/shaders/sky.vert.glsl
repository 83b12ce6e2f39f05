varying vec3 vWay;

void main() {
  vWay = position;
  vec4 clip = projectionMatrix * mat4(mat3(viewMatrix)) * vec4(position, 1.0);
  gl_Position = clip.xyww; // as far away as can be
}
