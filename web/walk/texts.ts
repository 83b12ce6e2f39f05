/** Every word of the walk, in one table, so that another language takes one more table. */

export const ENGLISH = {
  page: "A walk",
  stage: "The land: drag to look round, scroll to come nearer, click to walk there",
  figures: "Figures",
  close: "Close",
  calls: "Draw calls",
  triangles: "Triangles",
  instances: "Instances",
  textures: "Textures",
  memory: "Shapes and places on the card",
  milliseconds: "Everything that moves, a frame",
} as const;
