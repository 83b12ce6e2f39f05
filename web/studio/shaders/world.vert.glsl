attribute vec3 frame; // the north-west corner from the eye, and the edge [scene units]
attribute vec4 own;   // its layer; its parent's layer, and where it lies there [chunks of its level]
attribute vec3 shape; // how much it has grown out of its parent; where it begins and ends to be it
attribute vec2 count; // cells from a place of the world's lattice, so that grains stay where they are
varying vec2 vCells;
varying vec2 vParent;
varying vec3 vWorld;
flat varying vec4 vOwn;
flat varying vec3 vFrame;
varying float vMorph;
varying vec2 vGrain;
uniform float uSkirt;
uniform float uAbove; // the eye above the ground [scene units]

void main() {
  vec2 cells = position.xy * uChunk.x;
  vec2 parent = 0.5 * (cells + own.zw * uChunk.x);
  vec2 place = frame.xy + position.xy * frame.z;
  vec2 levels = levelsAt(own.x, cells);
  vec2 coarse = levelsAt(own.y, parent);
  // From the eye, so that the shape depends on the place alone and neighbours meet.
  float far = length(vec3(place.x, uAbove, place.y));
  vMorph = max(smoothstep(shape.y, shape.z, far), 1.0 - shape.x);
  levels = mix(levels, coarse, vMorph);
  float up = max(levels.x, levels.y) * uUnit;
  vCells = cells;
  vParent = parent;
  vOwn = own;
  vFrame = frame;
  vGrain = cells + count;
  vWorld = vec3(place.x, up, place.y);
  vec3 drawn = vWorld - vec3(0.0, position.z * frame.z * uSkirt, 0.0);
  gl_Position = projectionMatrix * viewMatrix * vec4(drawn, 1.0);
}
