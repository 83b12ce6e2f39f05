// Water as the eye meets it: waves, what shines on them, and how deep one sees.
vec3 ripples(vec2 world, float time) {
  float pixel = length(fwidth(world));
  vec2 wind = vec2(0.8, 0.6) * time;
  vec2 slope = grain(world * 1.7 + 0.35 * wind).yz * (1.0 - smoothstep(0.25, 0.8, pixel));
  slope += grain(world * vec2(3.9, 4.6) - 0.5 * wind.yx + 9.0).yz * (1.0 - smoothstep(0.08, 0.28, pixel));
  slope += 0.8 * grain(world * 11.0 + 0.8 * wind + 3.0).yz * (1.0 - smoothstep(0.03, 0.1, pixel));
  return normalize(vec3(-0.022 * slope.x, 1.0, -0.022 * slope.y));
}

// Sun and sky on a wet surface.
vec3 gloss(vec3 normal, vec3 eye, float sun, float sharp) {
  float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(normal, eye), 0.0), 5.0);
  vec3 back = reflect(-eye, normal);
  back.y = abs(back.y);
  float glint = pow(max(dot(normal, normalize(eye + uSun)), 0.0), sharp) * sharp * 0.02;
  return skyAt(back) * fresnel + uSunlight * glint * sun * (0.15 + fresnel);
}

// The ground as it is seen through water; depths in scene units.
vec3 underWater(vec3 seen, vec3 surface, vec3 eye, float depth, float sun, float clear) {
  float far = depth * (1.0 + 0.6 / max(eye.y, 0.3));
  vec3 through = exp(-far / clear * vec3(2.1, 0.85, 0.62));
  vec3 murk = vec3(0.012, 0.075, 0.098) * (uSunlight * uSun.y * (0.35 + 0.65 * sun) + 1.2 * skylight(vec3(0.0, 1.0, 0.0)));
  vec3 water = seen * through + murk * (1.0 - through) + gloss(surface, eye, sun, 420.0);
  float shore = smoothstep(0.0, 0.03 * clear + 0.5 * fwidth(depth), depth);
  return mix(seen * 0.8, water, shore);
}
