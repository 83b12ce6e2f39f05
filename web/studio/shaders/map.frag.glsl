uniform sampler2D uTint;
uniform float uTinted;
uniform sampler2D uPaint;  // a layer's colours
uniform float uPainted;
uniform highp sampler2D uBefore;
uniform float uChanges;
uniform float uChange;
uniform float uInterval;   // between contours [m]; 0 shows none
uniform sampler2D uLook;
uniform float uLooked;
uniform float uRange;      // from the lowest to the highest place [m]
uniform vec3 uPaper;
varying vec2 vPlace;

// Light from four sides, most of it from the sun's: valleys that run towards it are seen too.
float hillshade(vec3 normal) {
  vec2 sun = normalize(uSun.xz + 1e-4);
  float main = dot(normal, normalize(vec3(sun.x, 0.95, sun.y)));
  float left = dot(normal, normalize(vec3(-sun.y, 1.1, sun.x)));
  float right = dot(normal, normalize(vec3(sun.y, 1.1, -sun.x)));
  return 0.64 * main + 0.18 * left + 0.18 * right;
}

// How much of a line of some pixels' width is here; none where the ground is level.
float lineAt(float height, float interval, float wide) {
  float at = height / interval;
  float change = fwidth(at);
  float off = abs(fract(at - 0.5) - 0.5);
  return (1.0 - smoothstep(change * (wide - 0.5), change * (wide + 0.5), off)) * (1.0 - smoothstep(0.25, 0.6, change))
    * smoothstep(0.0, 1e-4, change);
}

void main() {
  vec2 outside = max(abs(vPlace - 0.5) - 0.5, 0.0) * uSize;
  float depth = max(waterAt(vPlace) - groundAt(vPlace), 0.0);
  float height = metres(uHeight, vPlace);
  vec2 cell = 1.0 / uCells;
  float east = metres(uHeight, vPlace + vec2(cell.x, 0.0)) - metres(uHeight, vPlace - vec2(cell.x, 0.0));
  float south = metres(uHeight, vPlace + vec2(0.0, cell.y)) - metres(uHeight, vPlace - vec2(0.0, cell.y));
  // Slopes as on a land whose relief is a fifth of its width, so that flat lands have shape too.
  float lift = max(uUp, 16.0 / uRange) * 0.5;
  vec3 normal = normalize(vec3(-east * lift / (uSize.x * cell.x), 1.0, -south * lift / (uSize.y * cell.y)));
  float light = hillshade(normal) / hillshade(vec3(0.0, 1.0, 0.0));
  vec4 tint = texture2D(uTint, vPlace);
  float share = (height - uDatum) / uRange;
  vec3 bare = mix(vec3(0.30, 0.36, 0.21), vec3(0.55, 0.47, 0.36), share);
  vec3 colour = mix(mix(bare, texture2D(uLook, vec2(share, 0.3)).rgb, uLooked), tint.rgb, uTinted);
  float water = smoothstep(0.0, 0.02 + fwidth(depth), depth) * (1.0 - uPainted);
  colour = mix(colour * (0.25 + 0.95 * light), vec3(0.14, 0.36, 0.46) * mix(1.25, 0.55, 1.0 - exp(-depth * 0.8)), water);
  vec3 paint = texture2D(uPaint, vPlace).rgb;
  colour = mix(colour, paint * (0.42 + 0.62 * light), uPainted);
  if (uChanges > 0.0) {
    float change = (height - metres(uBefore, vPlace)) / uChange;
    vec3 mark = change < 0.0 ? vec3(0.55, 0.09, 0.04) : vec3(0.03, 0.17, 0.46);
    colour = mix(vec3(0.62) * (0.35 + 0.65 * light), mark, 0.95 * (1.0 - exp(-1.6 * abs(change))));
  }
  if (uInterval > 0.0) {
    float ink = max(0.55 * lineAt(height, uInterval, 0.6), 0.85 * lineAt(height, 5.0 * uInterval, 0.85));
    colour = mix(colour, colour * vec3(0.20, 0.16, 0.13), ink * (1.0 - 0.75 * water));
  }
  float far = length(outside);
  float pixel = length(fwidth(vPlace * uSize));
  float shadow = 0.34 * exp(-far * 0.30);
  vec3 seen = mix(uPaper * (1.0 - shadow), colour, 1.0 - smoothstep(0.0, pixel, far));
  gl_FragColor = vec4(seen, 1.0);
  #include <colorspace_fragment>
  gl_FragColor.rgb = dithered(gl_FragColor.rgb);
}
