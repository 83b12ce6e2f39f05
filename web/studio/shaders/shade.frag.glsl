// How much of the sun (or, with SKY, of the sky) comes in at each place of the land or the table.
uniform vec3 uSun;
uniform vec2 uFrom;  // the place at the first pixel, and how far the picture goes
uniform vec2 uSpan;
uniform float uTop;  // nothing is higher [scene units]
uniform float uStep; // scene units from one look to the next
uniform float uFloor; // 1 for the table
varying vec2 vUv;

float blocked(vec2 place) {
  vec2 inside = step(vec2(0.0), place) * step(place, vec2(1.0));
  return inside.x * inside.y > 0.0 ? topAt(place) : -1e4;
}

#ifdef SKY
void main() {
  vec2 place = uFrom + vUv * uSpan;
  float own = uFloor > 0.5 ? uFoot : topAt(place);
  float open = 0.0;
  float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.0671, 0.00584))));
  for (int k = 0; k < WAYS; k++) {
    float angle = (float(k) + 0.5) * 6.2831853 / float(WAYS);
    vec2 way = vec2(cos(angle), sin(angle));
    float steepest = 0.0;
    float far = uStep;
    for (int n = 0; n < 7; n++) {
      steepest = max(steepest, (blocked(place + way * far / uSize) - own) / far);
      far *= 1.75;
    }
    open += 1.0 / (1.0 + steepest * steepest);
  }
  gl_FragColor = vec4(vec3(open / float(WAYS)), 1.0);
}
#else
void main() {
  vec2 place = uFrom + vUv * uSpan;
  float own = uFloor > 0.5 ? uFoot : topAt(place);
  float run = length(uSun.xz);
  float climb = uSun.y / max(run, 1e-4);
  vec2 way = uSun.xz / max(run, 1e-4) / uSize;
  float sun = 1.0;
  float far = uStep * 1.2;
  for (int n = 0; n < LOOKS; n++) {
    float y = own + 0.04 + far * climb;
    if (y > uTop + 0.05 * far || sun <= 0.0) break;
    float clear = y - blocked(place + way * far);
    sun = min(sun, 0.5 + clear / (0.09 * far));
    far += uStep * (1.0 + 0.012 * float(n));
  }
  sun = clamp(sun, 0.0, 1.0);
  gl_FragColor = vec4(vec3(sun * sun * (3.0 - 2.0 * sun)), 1.0);
}
#endif
