/** What kinds of trees with crowns of leaf cards there are. */

/** What kind of tree it is; lengths in metres, for a scale of 1. */
export interface Habit {
  readonly seed: number;
  readonly trunk: number;
  /** Radius of the trunk at its foot. */
  readonly girth: number;
  readonly segments: number;
  readonly branches: number;
  /** Clusters of leaves in the crown, and how far they lie from its middle. */
  readonly clusters: number;
  readonly spread: number;
  /** Radius of a cluster. */
  readonly cluster: number;
  readonly cards: number;
  readonly card: number;
  /** How high the crown is by its breadth: 1 for a ball; above that it is drawn out. */
  readonly tall: number;
  /** Its cards hang, and are seen from the side. */
  readonly hangs: boolean;
  /** Colours of its shade and of its sunny leaves. */
  readonly shade: number;
  readonly sunny: number;
}

const BROAD = { tall: 1, hangs: false, shade: 0x4d6b2a, sunny: 0xa8a648 } as const;

export const GREAT: Habit = {
  seed: 3,
  trunk: 7.2,
  girth: 0.78,
  segments: 3,
  branches: 9,
  clusters: 17,
  spread: 4.3,
  cluster: 2.25,
  cards: 9000,
  card: 0.62,
  ...BROAD,
};

/** Smaller trees of a kind: no two seeds grow alike. */
export const small = (seed: number): Habit => ({
  seed,
  trunk: 4.1,
  girth: 0.3,
  segments: 2,
  branches: 5,
  clusters: 8,
  spread: 1.9,
  cluster: 1.4,
  cards: 2200,
  card: 0.62,
  ...BROAD,
});

/** Birches: slender, their light crown drawn out, its twigs hanging. */
export const birch = (seed: number): Habit => ({
  ...small(seed),
  trunk: 6.4,
  girth: 0.17,
  segments: 3,
  branches: 8,
  clusters: 11,
  spread: 1.35,
  cluster: 0.95,
  cards: 1500,
  card: 0.66,
  tall: 1.9,
  hangs: true,
  shade: 0x64803a,
  sunny: 0xc2bb55,
});

/** Pines by the sea: a bare trunk that leans, and a flat wide crown. */
export const pine = (seed: number): Habit => ({
  ...small(seed),
  trunk: 6.1,
  girth: 0.26,
  segments: 3,
  branches: 9,
  clusters: 10,
  spread: 2.5,
  cluster: 1.25,
  cards: 1700,
  card: 0.6,
  tall: 0.36,
  hangs: false,
  shade: 0x33502c,
  sunny: 0x7f9450,
});
