uniform highp sampler2D uBase; // what the steps before have made
uniform int uBlend;            // 0 replace, 1 add, 2 multiply, 3 max, 4 min

void main() {
  ivec2 cell = ivec2(gl_FragCoord.xy);
  float value = fieldAt(cell);
  float base = texelFetch(uBase, cell, 0).r;
  if (uBlend == 1) value = base + value;
  else if (uBlend == 2) value = base * value;
  else if (uBlend == 3) value = max(base, value);
  else if (uBlend == 4) value = min(base, value);
  gl_FragColor = vec4(value, value, value, 1.0);
}
