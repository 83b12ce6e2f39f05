/* Made by tools/types.mjs from `downcut schema`: do not edit. */

/**
 * How to grow a piece of land: the same recipe gives the same bits everywhere.
 */
export interface Recipe {
  /**
   * The shape of this file.
   */
  format?: 1;
  /**
   * What the land is called.
   */
  title?: string;
  /**
   * A sentence about it.
   */
  description?: string;
  grid?: Extent;
  /**
   * A whole number from 0 to 2⁶⁴−1, or a word.
   */
  seed?: string;
  /**
   * Height of the sea, for every step that cares; none for a land without one.
   */
  sea_level?: number | null;
  /**
   * What is done, in order.
   *
   * @minItems 1
   * @maxItems 1000
   */
  steps: (
    | Fbm
    | Ridged
    | Billow
    | Constant
    | Island
    | Sines
    | Glade
    | Valley
    | Strata
    | Continents
    | Heightmap
    | Droplets
    | Thermal
    | StreamPower
    | Hillslope
    | Breach
    | CarveRivers
    | Coast
    | Lakes
    | Drainage
    | Rivers
    | Basins
    | DistanceToWater
    | HeightAboveDrainage
    | Wetness
    | Normals
    | Hillshade
    | Palette
    | Biomes
    | Materials
    | Occlusion
    | Splat
    | Scatter
    | Meadow
    | Repeat
  )[];
}
/**
 * The ground.
 */
export interface Extent {
  /**
   * Rows, from north to south.
   */
  ny?: number;
  /**
   * Columns, from west to east.
   */
  nx?: number;
  /**
   * Edge of a cell.
   */
  cell_size?: number;
}
/**
 * Hills of every size, each finer octave lower by `gain`; between −amplitude and +amplitude.
 *
 * Exact in every window; 3 ns a cell and octave.
 *
 * Examples
 * --------
 * >>> import downcut as dc
 * >>> grid = dc.Grid(64, 64, cell_size=30)
 * >>> hills = dc.fields.Fbm(amplitude=100)(grid=grid, seed=7)
 * >>> hills.dtype.name, bool(abs(hills).max() <= 100)
 * ('float32', True)
 */
export interface Fbm {
  op?: "fields.fbm";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * The layer that the field is written into.
   */
  into?: string;
  /**
   * How the field meets what the layer holds; the first field of a layer simply fills it.
   */
  blend?: "add" | "max" | "min" | "multiply" | "replace";
  /**
   * A layer, 0 to 1, that says where the field acts; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * Length of the largest forms, 1/frequency: the distance from one hill to the next, about.
   */
  wavelength?: number;
  /**
   * Height of the forms; in the unit of the layer where that is not elevation.
   */
  amplitude?: number;
  /**
   * Added everywhere; in the unit of the layer.
   */
  offset?: number;
  /**
   * How many sizes of forms are summed, each finer than the one before.
   */
  octaves?: number;
  /**
   * How much finer each octave is than the one before.
   */
  lacunarity?: number;
  /**
   * How high each octave is beside the one before (persistence).
   */
  gain?: number;
  /**
   * The lattice under the noise: triangles (simplex) or squares (perlin).
   */
  noise?: "simplex" | "perlin";
  /**
   * Bends the ground plan first, so that forms flow; none leaves it straight.
   */
  warp?: Warp | null;
}
/**
 * Bends a field: each sample is taken where two independent noises push it (Quilez 2002).
 */
export interface Warp {
  /**
   * The farthest that a place is pushed, east-west and north-south.
   */
  displacement?: number;
  /**
   * Length of the widest bends.
   */
  wavelength?: number;
  /**
   * How many sizes of bends there are.
   */
  octaves?: number;
  /**
   * How much finer each size is than the one before.
   */
  lacunarity?: number;
  /**
   * How strong each size is beside the one before (persistence).
   */
  gain?: number;
}
/**
 * Crests: 1 − |noise| in every octave; between 0 and amplitude (Musgrave 1989).
 *
 * Examples
 * --------
 * >>> import downcut as dc
 * >>> crests = dc.fields.Ridged(amplitude=100)(grid=dc.Grid(64, 64, cell_size=30), seed=7)
 * >>> bool(crests.min() >= 0 and crests.max() <= 100)
 * True
 */
export interface Ridged {
  op?: "fields.ridged";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * The layer that the field is written into.
   */
  into?: string;
  /**
   * How the field meets what the layer holds; the first field of a layer simply fills it.
   */
  blend?: "add" | "max" | "min" | "multiply" | "replace";
  /**
   * A layer, 0 to 1, that says where the field acts; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * Length of the largest forms, 1/frequency: the distance from one hill to the next, about.
   */
  wavelength?: number;
  /**
   * Height of the forms; in the unit of the layer where that is not elevation.
   */
  amplitude?: number;
  /**
   * Added everywhere; in the unit of the layer.
   */
  offset?: number;
  /**
   * How many sizes of forms are summed, each finer than the one before.
   */
  octaves?: number;
  /**
   * How much finer each octave is than the one before.
   */
  lacunarity?: number;
  /**
   * How high each octave is beside the one before (persistence).
   */
  gain?: number;
  /**
   * The lattice under the noise: triangles (simplex) or squares (perlin).
   */
  noise?: "simplex" | "perlin";
  /**
   * Bends the ground plan first, so that forms flow; none leaves it straight.
   */
  warp?: Warp | null;
}
/**
 * Humps: 2·|noise| − 1 in every octave; between −amplitude and +amplitude.
 *
 * Examples
 * --------
 * >>> import downcut as dc
 * >>> dunes = dc.fields.Billow(amplitude=100)(grid=dc.Grid(64, 64, cell_size=30), seed=7)
 * >>> bool(dunes.min() >= -100 and dunes.max() <= 100)
 * True
 */
export interface Billow {
  op?: "fields.billow";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * The layer that the field is written into.
   */
  into?: string;
  /**
   * How the field meets what the layer holds; the first field of a layer simply fills it.
   */
  blend?: "add" | "max" | "min" | "multiply" | "replace";
  /**
   * A layer, 0 to 1, that says where the field acts; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * Length of the largest forms, 1/frequency: the distance from one hill to the next, about.
   */
  wavelength?: number;
  /**
   * Height of the forms; in the unit of the layer where that is not elevation.
   */
  amplitude?: number;
  /**
   * Added everywhere; in the unit of the layer.
   */
  offset?: number;
  /**
   * How many sizes of forms are summed, each finer than the one before.
   */
  octaves?: number;
  /**
   * How much finer each octave is than the one before.
   */
  lacunarity?: number;
  /**
   * How high each octave is beside the one before (persistence).
   */
  gain?: number;
  /**
   * The lattice under the noise: triangles (simplex) or squares (perlin).
   */
  noise?: "simplex" | "perlin";
  /**
   * Bends the ground plan first, so that forms flow; none leaves it straight.
   */
  warp?: Warp | null;
}
/**
 * One value everywhere: a plain to begin with, or by `blend` a floor, a lid, a factor.
 *
 * Examples
 * --------
 * >>> import downcut as dc
 * >>> dc.fields.Constant(value=3, blend="max")([[1, 5]], grid=dc.Grid(1, 2)).tolist()
 * [[3.0, 5.0]]
 */
export interface Constant {
  op?: "fields.constant";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * The layer that the field is written into.
   */
  into?: string;
  /**
   * How the field meets what the layer holds; the first field of a layer simply fills it.
   */
  blend?: "add" | "max" | "min" | "multiply" | "replace";
  /**
   * A layer, 0 to 1, that says where the field acts; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * The value, in the unit of the layer.
   */
  value?: number;
}
/**
 * A pyramid 1 − max(|x|, |y|) / radius, clipped at 0, between `rim` and `top`.
 *
 * Multiplied into a field it makes an island of it; added, with a rim below zero, it pushes the
 * coast under the sea. `squareness` 1 is the source's square continent, 0 a round one.
 *
 * Examples
 * --------
 * >>> import downcut as dc
 * >>> mask = dc.fields.Island(radius=200, blend="replace")(grid=dc.Grid(3, 3, cell_size=100))
 * >>> mask.tolist()[1]
 * [0.5, 1.0, 0.5]
 */
export interface Island {
  op?: "fields.island";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * The layer that the field is written into.
   */
  into?: string;
  /**
   * How the mask meets what the layer holds; the first field of a layer simply fills it.
   */
  blend?: "add" | "max" | "min" | "multiply" | "replace";
  /**
   * A layer, 0 to 1, that says where the field acts; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * From the middle to where the mask reaches the rim's value.
   */
  radius?: number;
  /**
   * The middle of the island, east of the middle of the ground.
   */
  centre_east?: number;
  /**
   * The middle of the island, north of the middle of the ground.
   */
  centre_north?: number;
  /**
   * Value in the middle; in the layer's unit when it is added.
   */
  top?: number;
  /**
   * Value at the edge and beyond.
   */
  rim?: number;
  /**
   * 1 for a square outline, 0 for a round one.
   */
  squareness?: number;
  /**
   * 1 for even flanks; more keeps the height inland and drops it near the edge.
   */
  steepness?: number;
}
/**
 * Σ aₖ · sin(x·fₖ) · cos(y·fₖ + k), then (v + level) · amplitude, clamped to a range.
 *
 * Positions count from the ground's north-west corner `start` away from its middle, south and
 * east, as a picture is drawn. Smooth everywhere, with no chance in it.
 *
 * Examples
 * --------
 * >>> import downcut as dc
 * >>> hills = dc.fields.Sines()(grid=dc.Grid(96, 96, cell_size=1))
 * >>> bool(hills.min() >= 0 and hills.max() <= 1.2)
 * True
 */
export interface Sines {
  op?: "fields.sines";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * The layer that the field is written into.
   */
  into?: string;
  /**
   * How the field meets what the layer holds; the first field of a layer simply fills it.
   */
  blend?: "add" | "max" | "min" | "multiply" | "replace";
  /**
   * A layer, 0 to 1, that says where the field acts; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * Length of the longest wave, 2π / frequency: 157.08 m is a frequency of 0.04 a metre.
   */
  wavelength?: number;
  /**
   * How many waves are summed; each is turned by one radian more.
   */
  octaves?: number;
  /**
   * How much shorter each wave is than the one before.
   */
  lacunarity?: number;
  /**
   * How high each wave is beside the one before.
   */
  gain?: number;
  /**
   * Added to the sum of waves before it is scaled.
   */
  level?: number;
  /**
   * Height of the longest wave.
   */
  amplitude?: number;
  /**
   * The ground is never below this.
   */
  lowest?: number;
  /**
   * The ground is never above this.
   */
  highest?: number;
  /**
   * How far north and west of the ground's middle the waves begin.
   */
  start?: number;
}
/**
 * The stream first, then the land round it.
 *
 * With south z and east x in metres from the middle, the stream's centre line is
 * x = 8 + 2.6·sin(0.045z) + 1.3·sin(0.11z + 1.3) and d the distance east or west of it:
 * rolling · ss(3.2, 7.5, d) − depth · (1 − ss(0, 4.6, d)) + bank · exp(−(d − 5.6)² / 3).
 *
 * Gives `rivers`: the stream as a line, 120 m to the north and to the south of the middle.
 *
 * Examples
 * --------
 * >>> import downcut as dc
 * >>> bed = dc.fields.Glade(rolling=0)(grid=dc.Grid(240, 240, cell_size=1)).min()
 * >>> bool(-1.15 < bed < -1.1)
 * True
 */
export interface Glade {
  op?: "fields.glade";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * The layer that the field is written into.
   */
  into?: string;
  /**
   * How the field meets what the layer holds; the first field of a layer simply fills it.
   */
  blend?: "add" | "max" | "min" | "multiply" | "replace";
  /**
   * A layer, 0 to 1, that says where the field acts; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * Depth of the stream's bed below the meadow.
   */
  depth?: number;
  /**
   * Height of the low banks beside the stream.
   */
  bank?: number;
  /**
   * Height of the broad swells; the small ones are 0.35 / 0.9 of it.
   */
  rolling?: number;
}
/**
 * A trough `depth` deep and `width` wide that winds through the middle of the ground.
 *
 * Its line swings by `meander` to both sides of a straight course towards `direction`, in two
 * waves of which the second is 2.3 times shorter and half as wide, with phases from the seed; the
 * ground falls along the course by `fall`.
 *
 * Examples
 * --------
 * >>> import downcut as dc
 * >>> trough = dc.fields.Valley(depth=50, fall=0)(grid=dc.Grid(64, 64, cell_size=100), seed=7)
 * >>> bool(trough.min() < -45), bool(trough.max() == 0)
 * (True, True)
 */
export interface Valley {
  op?: "fields.valley";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * The layer that the field is written into.
   */
  into?: string;
  /**
   * How the field meets what the layer holds; the first field of a layer simply fills it.
   */
  blend?: "add" | "max" | "min" | "multiply" | "replace";
  /**
   * A layer, 0 to 1, that says where the field acts; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * Where it leads, clockwise from north: 180 runs from north to south.
   */
  direction?: number;
  /**
   * How deep the trough is.
   */
  depth?: number;
  /**
   * From rim to rim.
   */
  width?: number;
  /**
   * How far its line swings to both sides.
   */
  meander?: number;
  /**
   * Length of a bend, there and back.
   */
  meander_wavelength?: number;
  /**
   * How steeply the whole ground falls along the course [m/m].
   */
  fall?: number;
}
/**
 * How hard the rock is at the ground's height: beds of equal thickness, hard and soft in turn.
 *
 * The beds dip by `dip` towards `direction` and wave by `wobble`. Inside a Repeat the layer is
 * made anew from the sinking ground, so that hard beds stand out as ledges and soft ones retreat.
 *
 * Examples
 * --------
 * >>> import downcut as dc
 * >>> steps = dc.fields.Strata(thickness=100, hard_share=0.5, hard=10, wobble=0)
 * >>> steps([[25, 75, 125]], grid=dc.Grid(1, 3)).round(2).tolist()
 * [[10.0, 1.0, 10.0]]
 */
export interface Strata {
  op?: "fields.strata";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * The layer that the hardness is written into.
   */
  into?: string;
  /**
   * Of a hard and a soft bed together.
   */
  thickness?: number;
  /**
   * How much of it is hard; the hard bed lies at the bottom.
   */
  hard_share?: number;
  /**
   * Hardness of the hard beds.
   */
  hard?: number;
  /**
   * Hardness of the soft beds.
   */
  soft?: number;
  /**
   * How steeply the beds dip.
   */
  dip?: number;
  /**
   * Where they dip to, clockwise from north.
   */
  direction?: number;
  /**
   * How far the beds wave up and down.
   */
  wobble?: number;
  /**
   * Length of these waves.
   */
  wobble_wavelength?: number;
}
/**
 * Divide the plane into provinces and sink the ground at their borders under the sea.
 *
 * Every square of `province_size` has one centre, somewhere about its middle; a province is all
 * that lies nearest to its centre, on a plan bent by `warp`. With d the distance from the
 * nearest border and m = smoothstep((d − strait / 2) / shore), the ground becomes
 * rim + (elevation − rim) · m: exactly `rim` in a strip of at least the width `strait` along
 * every border, and as it was inland. So no water runs from one province into another, and each
 * can be grown alone. Straits and shores are up to half as wide again in some provinces, and a
 * share `ocean` of them holds no land at all.
 *
 * Reads and writes elevation (ny, nx) float32 [m]; writes `inland`, m, 0 in the sea to 1. Exact in
 * every window; about 100 ns a cell.
 *
 * Examples
 * --------
 * >>> import downcut as dc
 * >>> grid = dc.Grid(96, 96, cell_size=1000)
 * >>> high = dc.fields.Constant(value=300)(grid=grid)
 * >>> ground, inland = dc.fields.Continents()(high, grid=grid, seed=7)
 * >>> float(ground.min()), float(ground.max()), bool((ground[inland == 0] == -300).all())
 * (-300.0, 300.0, True)
 */
export interface Continents {
  op?: "fields.continents";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * From the centre of a province to the next, about.
   */
  province_size?: number;
  /**
   * Width of the sea between provinces where it is narrowest.
   */
  strait?: number;
  /**
   * Over how far the ground rises from the rim to its full height.
   */
  shore?: number;
  /**
   * Height of the floor of the straits.
   */
  rim?: number;
  /**
   * Share of the provinces that are open sea.
   */
  ocean?: number;
  /**
   * Bends the borders; none leaves them straight.
   */
  warp?: Warp | null;
}
/**
 * The heights in a file, its middle on the middle of the ground.
 *
 * Takes PNG of 8 and 16 bits, TIFF, GeoTIFF, EXR, .raw and .r16, .npy, .npz and whatever GDAL
 * reads. Where the ground's cells are the file's, heights are the file's; between them a cubic
 * spline runs, and larger cells get the mean. Beyond the file its edge goes on.
 *
 * Without metres in the file or beside it, 16-bit levels span 0 to 1000 m and cells 30 m.
 *
 * Examples
 * --------
 * >>> import downcut as dc, numpy as np, tempfile
 * >>> file = tempfile.mkdtemp() + "/hill.npy"
 * >>> np.save(file, [[1.0, 2.0], [3.0, 4.0]])
 * >>> dc.fields.Heightmap(file=file, cell_size=10)(grid=dc.Grid(2, 2, 10)).tolist()
 * [[1.0, 2.0], [3.0, 4.0]]
 */
export interface Heightmap {
  op?: "fields.heightmap";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * The layer that the field is written into.
   */
  into?: string;
  /**
   * How the field meets what the layer holds; the first field of a layer simply fills it.
   */
  blend?: "add" | "max" | "min" | "multiply" | "replace";
  /**
   * A layer, 0 to 1, that says where the field acts; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * The path of the file; a recipe's own folder is where a relative one begins.
   */
  file?: string;
  /**
   * The digest of the bytes of the file and of a FILE.json beside it; others are refused.
   */
  content?: string;
  /**
   * Height of the lowest level, 0; if none the file's own, else 0 m.
   */
  low?: number | null;
  /**
   * Height of the highest level, of 255, 65535 or 1.0; if none the file's own, else 1000 m.
   */
  high?: number | null;
  /**
   * Edge of the file's cells; the file's own if none, else 30 m.
   */
  cell_size?: number | null;
  /**
   * Whether cells without data are filled from those around; else they are refused.
   */
  fill_voids?: boolean;
  /**
   * The sample that stands for no data, where the file does not say it.
   */
  nodata?: number | null;
  /**
   * Rows of samples without a header; if none, a side file, the other or a square tells.
   */
  rows?: number | null;
  /**
   * Columns of samples without a header, likewise.
   */
  columns?: number | null;
  /**
   * What a sample without a header is; by the file's suffix if none.
   */
  dtype?:
    ("uint8" | "uint16" | "int16" | "uint32" | "int32" | "float16" | "float32" | "float64") | null;
  /**
   * Byte order of samples without a header; little if nothing tells.
   */
  byte_order?: ("little" | "big") | null;
  /**
   * Whether the file's first row is the southernmost, as Unity likes it.
   */
  south_first?: boolean;
  /**
   * Cells beyond which the file is refused, before any is read.
   */
  limit_cells?: number;
}
/**
 * Rain in droplets; each rolls `lifetime` steps of one cell at most.
 *
 * A step turns the droplet (d ← inertia·d − (1 − inertia)·∇h), moves it one cell, and compares
 * what it carries with what it can: capacity·max(−Δh, min_slope)·speed·water. Uphill it fills
 * the hollow behind it; overloaded it drops `deposition_rate` of the surplus; otherwise it digs
 * `erosion_rate` of the lack, never deeper than the next place. Then speed² ← speed² − gravity·Δh
 * and water ← water·(1 − evaporation).
 *
 * Mass is conserved: what a cell loses, as stored, the droplet carries, and what leaves the map
 * is counted. The same bits on any number of threads and in windows with the halo. About 15 ns
 * a droplet and step.
 *
 * Examples
 * --------
 * >>> import numpy as np, downcut as dc
 * >>> grid = dc.Grid(64, 64, cell_size=10)
 * >>> hill = np.add.outer(grid.y, grid.x) * 0.3
 * >>> carved = dc.erosion.Droplets()(hill, grid=grid, seed=7)
 * >>> bool(np.abs(carved - hill).max() > 0)
 * True
 */
export interface Droplets {
  op?: "erosion.droplets";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * A layer, 0 to 1, that says how much of it happens where; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * Cell of the world's lattice that the step runs on; none for the land's own cells.
   */
  feature_size?: number | null;
  /**
   * How much it rains: the mean number of droplets that start in a cell.
   */
  droplets_per_cell?: number;
  /**
   * Showers that the rain is divided into; more are evener to watch, fewer are quicker.
   */
  rounds?: number;
  /**
   * The most steps a droplet makes (max steps); longer lives carve longer valleys.
   */
  lifetime?: number;
  /**
   * Whether a droplet keeps its direction (inertia) or its damped velocity (damping).
   */
  steering?: "inertia" | "damping";
  /**
   * How much of its direction a droplet keeps: 0 follows every slope, 1 never turns.
   */
  inertia?: number;
  /**
   * How much of its velocity a droplet keeps where it is steered by damping.
   */
  damping?: number;
  /**
   * Slope below which a droplet still carries as if on it; keeps plains from silting up.
   */
  min_slope?: number;
  /**
   * How much earth fast water carries (sediment capacity).
   */
  capacity?: number;
  /**
   * Share of the surplus that is dropped in a step.
   */
  deposition_rate?: number;
  /**
   * Share of the lack that is dug up in a step.
   */
  erosion_rate?: number;
  /**
   * The deepest a droplet digs in a step, in cells.
   */
  max_erosion?: number;
  /**
   * How fast falling water gains speed; 0 keeps its speed at 1.
   */
  gravity?: number;
  /**
   * Share of the water lost in a step; the droplet ends below a hundredth.
   */
  evaporation?: number;
  /**
   * Cells around the droplet that it digs from; 0 digs the four cells it lies between.
   */
  brush_radius?: number;
  /**
   * Keep the map's outermost cells as they are: the base level the rain runs to.
   */
  hold_border?: boolean;
  /**
   * Never dig below this height.
   */
  lowest?: number | null;
  /**
   * Never heap up above this height.
   */
  highest?: number | null;
}
/**
 * Lets slopes slide to the angle of repose.
 *
 * In a pass each cell gives half of `amount` of its worst excess (drop − tan(talus_angle) ·
 * distance, over its 8 neighbours) to its over-steep neighbours, shared by their excess, or to
 * the steepest alone. All cells move at once; nothing leaves the map. Mass is conserved, rounding
 * counted as clamped; shared among all, the result keeps the symmetries of the ground. Halo of
 * 2 cells a pass; 3 ns a cell and pass.
 *
 * Examples
 * --------
 * >>> import numpy as np, downcut as dc
 * >>> tower = np.zeros((9, 9))
 * >>> tower[4, 4] = 100
 * >>> heap = dc.erosion.Thermal(talus_angle=33, passes=50)(tower, grid=dc.Grid(9, 9))
 * >>> bool(np.isclose(heap.sum(), 100, rtol=1e-5)), bool(heap.max() < 10)
 * (True, True)
 */
export interface Thermal {
  op?: "erosion.thermal";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * A layer, 0 to 1, that says how much of it happens where; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * Cell of the world's lattice that the step runs on; none for the land's own cells.
   */
  feature_size?: number | null;
  /**
   * The steepest slope that holds (angle of repose): 31 for dry sand, 40 for blocky scree.
   */
  talus_angle?: number;
  /**
   * How much of half the excess slides in a pass; above 0.25 a deep pit can be overfilled.
   */
  amount?: number;
  /**
   * How many times slopes slide.
   */
  passes?: number;
  /**
   * Whether all over-steep neighbours get a share or the steepest takes all.
   */
  sharing?: "all" | "steepest";
}
/**
 * One time step of ∂z/∂t = uplift − erodibility · Aᵐ · Sⁿ, where A is the drainage area.
 *
 * Implicit from the outlets up (Braun & Willett 2013), so it is stable for any time step; for
 * n = 1 exact along the river, else by Newton. Water is routed through depressions over their
 * lowest saddle, so no river stops; ground under a lake is not cut. Outlets at the map's edge
 * hold their height, and so does the floor of the sea, whose level is the base. What rivers cut
 * leaves the map: it is counted as eroded and carried out. Put it in a Repeat with
 * `erosion.hillslope` or `erosion.thermal` to let slopes follow.
 *
 * At steady state the slope is (uplift / erodibility)^(1/n) · A^(−m/n).
 *
 * Examples
 * --------
 * >>> import numpy as np, downcut as dc
 * >>> grid = dc.Grid(32, 32, cell_size=100)
 * >>> rough = dc.fields.Fbm(amplitude=10, wavelength=1000)(grid=grid, seed=7)
 * >>> land = dc.erosion.StreamPower(time_step=50_000)(rough, grid=grid)
 * >>> bool(land.max() > rough.max())
 * True
 */
export interface StreamPower {
  op?: "erosion.stream_power";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * A layer, 0 to 1, that says how much of it happens where; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * Cell of the world's lattice that the step runs on; none for the land's own cells.
   */
  feature_size?: number | null;
  /**
   * How long the rivers cut in one step.
   */
  time_step?: number;
  /**
   * How fast the ground rises; 1 mm a year is a young mountain range.
   */
  uplift_rate?: number;
  /**
   * How easily the rock is cut: 1e-6 granite, 1e-4 mudstone, with m = 0.5.
   */
  erodibility?: number;
  /**
   * How much more a larger river cuts (m).
   */
  area_exponent?: number;
  /**
   * How much more a steeper river cuts (n).
   */
  slope_exponent?: number;
  /**
   * How far water strays from the steepest way: 0 keeps to the grid's eight directions, 0.5 and
   * many time steps leave no trace of them.
   */
  stray?: number;
  /**
   * A layer that multiplies the uplift rate from place to place.
   */
  uplift?: string | null;
  /**
   * A layer that divides the erodibility from place to place: 1 as given, 10 ten times harder.
   */
  hardness?: string | null;
  /**
   * A layer that weighs the drainage area by how much it rains, 1 as given.
   */
  rain?: string | null;
}
/**
 * Linear diffusion ∂z/∂t = diffusivity · ∇²z (Culling 1960), stable for any time step.
 *
 * Implicit, one direction after the other (backward Euler, locally one-dimensional), so no new
 * peak or pit can arise however long the step. Nothing crosses the map's edge; with
 * `hold_border` the outermost cells keep their height, and what they take or give is counted as
 * carried out. 8 ns a cell and substep.
 *
 * Examples
 * --------
 * >>> import numpy as np, downcut as dc
 * >>> spike = np.zeros((33, 33))
 * >>> spike[16, 16] = 100
 * >>> round_hill = dc.erosion.Hillslope(time_step=1e9)(spike, grid=dc.Grid(33, 33))
 * >>> bool(0 <= round_hill.min() and round_hill.max() < 1)
 * True
 */
export interface Hillslope {
  op?: "erosion.hillslope";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * A layer, 0 to 1, that says how much of it happens where; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * Cell of the world's lattice that the step runs on; none for the land's own cells.
   */
  feature_size?: number | null;
  /**
   * How readily soil creeps: 0.001 in a desert, 0.05 where it is wet and burrowed.
   */
  diffusivity?: number;
  /**
   * How long it creeps.
   */
  time_step?: number;
  /**
   * Parts that the time is divided into; more are more accurate.
   */
  substeps?: number;
  /**
   * Keep the map's outermost cells as they are.
   */
  hold_border?: boolean;
}
/**
 * Cut a way out of depressions where a short, shallow one is found; the others stay lakes.
 *
 * From each pit, the lowest first, the cheapest way to lower ground, the edge of the map or the
 * sea is sought (Dijkstra's search, as Lindsay 2016): a metre costs 0.01 + (cut / max_depth)²,
 * times 0.2 to 4, which varies smoothly from place to place, so that ways follow low ground and
 * bend instead of running straight. Along it the ground is cut to a bed that falls all the way,
 * and beside it by as much less as a bank at `bank_angle` rises. No way is longer than
 * `max_length`, no cut deeper than `max_depth` (and the fall of the bed, 1 ‰ at most). What is
 * cut leaves the map: it is counted as eroded and carried out.
 *
 * Reads and writes elevation (ny, nx) float32 [m]. Guaranteed: nothing rises; no new pit arises
 * (without a mask); land without pits stays bit for bit. The time for a pit grows with the
 * square of max_length in cells.
 *
 * Examples
 * --------
 * >>> import numpy as np, downcut as dc
 * >>> dam = np.array([[9, 9, 9, 9, 9, 9], [9, 2, 3, 1, 0, -1], [9, 9, 9, 9, 9, 9]])
 * >>> out = dc.erosion.Breach(max_depth=2)(dam, grid=dc.Grid(3, 6))
 * >>> bool(out[1, 2] < 2), bool((np.diff(out[1, 1:]) < 0).all())
 * (True, True)
 */
export interface Breach {
  op?: "erosion.breach";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * A layer, 0 to 1, that says how much of it happens where; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * Cell of the world's lattice that the step runs on; none for the land's own cells.
   */
  feature_size?: number | null;
  /**
   * How long a cut may be.
   */
  max_length?: number;
  /**
   * How deep a cut may be.
   */
  max_depth?: number;
  /**
   * How steep the sides of a cut are; 89 leaves a trench one cell wide.
   */
  bank_angle?: number;
}
/**
 * Carve the beds of rivers into the ground, with banks that lead up to it.
 *
 * Rivers, their discharge, width and depth are those of `hydrology.rivers`. The bed lies its
 * depth below the ground that the river runs over (below a lake's level, so a lake falls by the
 * depth of the river that leaves it); over its first ten widths a river sets in, and one without
 * a fall cuts nothing. Where it is
 * wider than two cells its bed is a parabola about a smooth line along its way, and a bank of
 * `bank_width` river widths on either side eases the ground down to the water; where it is
 * narrower, its cells are lowered to the bed.
 *
 * Reads and writes elevation (ny, nx) float32 [m]. What is cut leaves the map: it is counted as
 * eroded and carried out. Guaranteed: nothing rises; ground outside the banks keeps its bits;
 * without a mask no bed climbs: water stands nowhere that it did not stand before.
 *
 * Examples
 * --------
 * >>> import numpy as np, downcut as dc
 * >>> valley = np.abs(np.arange(-8, 9))[:, None] + np.linspace(5, 0, 40)[None, :]
 * >>> step = dc.erosion.CarveRivers(channel_area=1e5, runoff=1)
 * >>> cut = valley - step(valley, grid=dc.Grid(17, 40, cell_size=50.0))
 * >>> bool((cut[8, 10:] > 0.02).all()), bool(cut[:6].max() < 1e-6)
 * (True, True)
 */
export interface CarveRivers {
  op?: "erosion.carve_rivers";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * How much ground must drain through a place for a river to run there.
   */
  channel_area?: number;
  /**
   * Water that leaves the ground in a year: 0.1 in dry country, 0.5 in hills, 2 in wet ranges.
   */
  runoff?: number;
  /**
   * Width in metres of a river that carries 1 m³/s; others by the square root.
   */
  width_coefficient?: number;
  /**
   * Depth in metres of a river that carries 1 m³/s; others by the power 0.4.
   */
  depth_coefficient?: number;
  /**
   * A layer that multiplies the runoff from place to place.
   */
  rain?: string | null;
  /**
   * A layer, 0 to 1, that says how much of it happens where; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * Cell of the world's lattice that the step runs on; none for the land's own cells.
   */
  feature_size?: number | null;
  /**
   * How wide the bank is on either side, in widths of the river.
   */
  bank_width?: number;
  /**
   * How much the line of a narrow river is smoothed; wider ones are smoothed by their width.
   */
  smoothing?: number;
}
/**
 * Shape a beach on the land and a shelf under the sea, along every shore.
 *
 * The profile aimed at rises from the shoreline at `beach_angle` and falls at `shelf_angle`. On
 * land what stands above it is taken away, in the sea what lies below it is filled up: fully at
 * the shore, fading to nothing at `width` from it, and where the ground is higher or deeper than
 * `beach_height` and `shelf_depth`, so cliffs stay cliffs and the deep stays deep. The shoreline
 * itself stays where it is. Without a sea nothing happens.
 *
 * Reads and writes elevation (ny, nx) float32 [m]. Taken and filled earth is counted as eroded
 * and deposited, and the difference as carried out: the sea takes it, or (below 0) brings it.
 * Guaranteed: land stays land, sea stays sea; farther than `width` from a shore nothing changes.
 *
 * Examples
 * --------
 * >>> import numpy as np, downcut as dc
 * >>> shore = np.linspace(-40, 40, 80)[None, :] * np.ones((3, 1))
 * >>> out = dc.erosion.Coast(width=100)(shore, grid=dc.Grid(3, 80, 5.0), sea_level=0)
 * >>> bool((out[1, 41:46] < shore[1, 41:46]).all()), bool((out[1, 34:39] > shore[1, 34:39]).all())
 * (True, True)
 */
export interface Coast {
  op?: "erosion.coast";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * A layer, 0 to 1, that says how much of it happens where; outside 0 to 1 it is clipped.
   */
  mask?: string | null;
  /**
   * Cell of the world's lattice that the step runs on; none for the land's own cells.
   */
  feature_size?: number | null;
  /**
   * How far from the shore beach and shelf reach.
   */
  width?: number;
  /**
   * How steep the beach is: 1 fine sand, 5 coarse, 10 shingle.
   */
  beach_angle?: number;
  /**
   * How steep the sea's floor is before it.
   */
  shelf_angle?: number;
  /**
   * Ground higher than this above the sea keeps its shape: cliffs.
   */
  beach_height?: number;
  /**
   * Ground deeper than this under the sea keeps its shape.
   */
  shelf_depth?: number;
  /**
   * How far the shore goes towards its profile.
   */
  amount?: number;
}
/**
 * Let the sea in from the edge of the map, and fill depressions to lakes.
 *
 * The sea covers ground below its level that it can reach from the edge of the map over such
 * ground; a hollow below sea level behind higher ground stays dry, or holds a lake. Every other
 * depression fills until it spills. A lake, which is all water that touches (corners count), is
 * kept or left out as a whole: for its greatest depth and for its area.
 *
 * Reads elevation (ny, nx) [m]. Writes water_surface float32 [m], the level of the water and the
 * ground's own elevation where it is dry; water_depth float32 [m], 0 where it is dry; lake
 * int32, the id of the lake, 0 elsewhere. Gives `lakes`, the largest first: id, level, area,
 * volume, max_depth; outlet (flat index of the cell over which it spills) and its x, y; joins,
 * the id of the lake that the overflow reaches next, 0 for none; end, which is 0 in a lake, 1 in
 * the sea, 2 on the map's edge.
 *
 * Guaranteed: a lake is level, its outlet lies at its level and touches it, and the volumes are
 * sums in float64 of the depths that the layer shows.
 *
 * Examples
 * --------
 * >>> run, bowl = Run(), [[5, 5, 5], [5, 1, 5], [5, 3, 5]]
 * >>> surface, depth, lake = Lakes(min_area=1)(bowl, grid=Grid(3, 3), run=run)
 * >>> surface[1].tolist(), run.features["lakes"]["volume"].tolist()
 * ([5.0, 3.0, 5.0], [2.0])
 */
export interface Lakes {
  op?: "hydrology.lakes";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * How deep a lake must be at its deepest place to be kept.
   */
  min_depth?: number;
  /**
   * How large a lake must be to be kept.
   */
  min_area?: number;
}
/**
 * Measure how much ground drains through each cell.
 *
 * Water takes the steepest descent to one neighbour (D8, O'Callaghan & Mark 1984); depressions
 * fill and spill over their lowest saddle, so all of it reaches the sea or the edge of the map.
 * Every cell of the sea is an outlet; what leaves at all outlets is the area of the whole map.
 *
 * Parameters of the call: elevation, (ny, nx) [m]. Returns drainage_area, (ny, nx) float64 [m²].
 *
 * Examples
 * --------
 * >>> Drainage()([[3, 2, 1, 4]], grid=Grid(1, 4, cell_size=10.0)).tolist()
 * [[100.0, 200.0, 400.0, 100.0]]
 */
export interface Drainage {
  op?: "hydrology.drainage";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
}
/**
 * Name the cells where a river runs, and trace each river from its source to its end.
 *
 * A river runs where at least the channel area drains through: the oldest and plainest rule for
 * where channels begin. It runs through lakes and over their outlets, and ends in the sea, on
 * the map's edge or in the river it joins; where two meet, the one that drains more goes on.
 * Width and depth follow the discharge Q [m³/s] by the hydraulic geometry of full channels,
 * width = a · Q^0.5 and depth = c · Q^0.4 (Leopold & Maddock 1953, coefficients at 1 m³/s of
 * Moody & Troutman 2002).
 *
 * Reads elevation (ny, nx) [m]. Writes channel uint8, 1 where a river runs; stream_order uint8,
 * Strahler's, 0 where none runs; discharge float32 [m³/yr], 0 likewise. Gives `rivers`, the
 * largest first: id; joins, the id of the river it flows into, 0 for none; end, which is 0 in a
 * river, 1 in the sea, 2 on the edge; at the end order, area, discharge, width, depth; and
 * length, drop and slope. The points of its line: x, y, surface (of the full channel, level with
 * lakes), bed, width, depth, area, discharge, order.
 *
 * Guaranteed: downstream of a channel there is a channel to the sea or the edge; along a river
 * surface, bed never rise, area, width, depth never shrink (without negative rain).
 *
 * Examples
 * --------
 * >>> run, valley = Run(), [[9, 9, 9, 9], [4, 3, 2, 1], [9, 9, 9, 9]]
 * >>> channel, order, _ = Rivers(channel_area=4)(valley, grid=Grid(3, 4), run=run)
 * >>> channel[1].tolist(), run.features["rivers"].line(0)["x"].tolist()
 * ([0, 1, 1, 1], [-0.5, 0.5, 1.5])
 */
export interface Rivers {
  op?: "hydrology.rivers";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * How much ground must drain through a place for a river to run there.
   */
  channel_area?: number;
  /**
   * Water that leaves the ground in a year: 0.1 in dry country, 0.5 in hills, 2 in wet ranges.
   */
  runoff?: number;
  /**
   * Width in metres of a river that carries 1 m³/s; others by the square root.
   */
  width_coefficient?: number;
  /**
   * Depth in metres of a river that carries 1 m³/s; others by the power 0.4.
   */
  depth_coefficient?: number;
  /**
   * A layer that multiplies the runoff from place to place.
   */
  rain?: string | null;
  /**
   * How many times the lines are smoothed; 0 leaves them on the centres of cells.
   */
  smoothing?: number;
}
/**
 * Divide the land into basins: all ground whose water leaves by the same cell.
 *
 * Water leaves by cells on the map's edge, and on a coast by the last cell of land. A divide is
 * the crest between two large basins: of two touching cells that drain into different ones, the
 * higher.
 *
 * Reads elevation (ny, nx) [m]. Writes basin int32, the basin's id, 0 in the sea; divide uint8,
 * 1 on a crest. Gives `basins`, the largest first: id, area, highest, lowest and relief of its
 * ground; outlet (flat index of the cell it leaves by) and its x, y; end, which is 1 at the sea
 * and 2 on the edge.
 *
 * Guaranteed: areas of basins and the sea add up to the map's.
 *
 * Examples
 * --------
 * >>> run = Run()
 * >>> basin, divide = Basins(divide_area=0)([[1, 2, 3, 1]], grid=Grid(1, 4), run=run)
 * >>> basin.tolist(), divide.tolist(), run.features["basins"]["area"].tolist()
 * ([[1, 1, 2, 2]], [[0, 0, 1, 0]], [2.0, 2.0])
 */
export interface Basins {
  op?: "hydrology.basins";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * How large the basins on both sides of a divide must be.
   */
  divide_area?: number;
}
/**
 * Measure how far each place is from water, as the crow flies.
 *
 * Water is where `channel` is not 0 and where `water_depth` is above 0, as `hydrology.rivers`
 * and `hydrology.lakes` make them (the sea is in the latter); a layer that is not there counts
 * as dry. Between centres of cells, exact, and no more than `max_distance`.
 *
 * Reads channel and water_depth (ny, nx), either of which may be missing. Writes water_distance
 * (ny, nx) float32 [m]. Halo of max_distance.
 *
 * Examples
 * --------
 * >>> DistanceToWater()([[0, 1, 0, 0]], grid=Grid(1, 4, 30.0)).tolist()
 * [[30.0, 0.0, 30.0, 60.0]]
 */
export interface DistanceToWater {
  op?: "hydrology.distance_to_water";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * What is farther away counts as this far.
   */
  max_distance?: number;
}
/**
 * Measure how high each place lies above the river cell that its water reaches first.
 *
 * HAND (Rennó et al. 2008), along the way of steepest descent: low values are flood plains and
 * wet ground, high ones slopes and crests. Depressions count as full of water, so that no height
 * is negative; water that meets no river is measured to the sea or the edge of the map.
 *
 * Reads elevation (ny, nx) [m] and channel, where not 0 a river runs. Writes
 * height_above_drainage (ny, nx) float32 [m], 0 or more.
 *
 * Examples
 * --------
 * >>> slope, river = [[9.0, 7.0, 4.0, 3.0]], [[0, 0, 1, 1]]
 * >>> HeightAboveDrainage()(slope, river, grid=Grid(1, 4)).tolist()
 * [[5.0, 3.0, 0.0, 0.0]]
 */
export interface HeightAboveDrainage {
  op?: "hydrology.height_above_drainage";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
}
/**
 * Measure the topographic wetness index ln(a / tan β) (Beven & Kirkby 1979).
 *
 * a is the ground that drains through a metre of contour [m], tan β the slope: wet are the
 * places that much drains to and little drains from. Water flows to all lower neighbours i at
 * once, in shares of Lᵢ · tan βᵢ^exponent (Freeman 1991; Lᵢ is the contour that faces each,
 * Quinn et al. 1991), over the land with its depressions full and out of flats by the shortest
 * way: so the index is ln(A / Σ Lᵢ tan βᵢ). Slopes under `min_slope` count as that, which caps
 * it where the land is flat.
 *
 * Reads elevation (ny, nx) [m]. Writes wetness (ny, nx) float32, ln of metres: about 4 on steep
 * crests, 8 on slopes, above 12 on flood plains and lakes. Cells of the sea are the wettest that
 * `min_slope` allows for their own area.
 *
 * Examples
 * --------
 * >>> ramp = [[30.0, 20.0, 10.0, 0.0]] * 3
 * >>> wet = Wetness()(ramp, grid=Grid(3, 4, cell_size=10.0))
 * >>> bool((wet[:, 1:] > wet[:, :-1]).all())
 * True
 */
export interface Wetness {
  op?: "hydrology.wetness";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * How much of the water the steeper ways get: 1 spreads it widely, 20 sends it down one way.
   */
  exponent?: number;
  /**
   * The gentlest slope that counts [m/m].
   */
  min_slope?: number;
}
/**
 * The unit normal of the ground, for light and for engines.
 *
 * n = (−∂z/∂x, −∂z/∂y, 1) / |…|, by central differences inside and one-sided ones at the map's
 * edge.
 *
 * Reads `elevation` (ny, nx) [m]; writes `normals` (ny, nx, 3) float32: east, north, up.
 * Guaranteed: length 1; a plane's normal is the same in every cell, those at the edge included;
 * windows meet without a seam (halo 1).
 *
 * Examples
 * --------
 * >>> from downcut.grid import Grid
 * >>> Normals()([[0.0, 0.0], [0.0, 0.0]], grid=Grid(2, 2))[0, 0].tolist()
 * [0.0, 0.0, 1.0]
 */
export interface Normals {
  op?: "surface.normals";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
}
/**
 * Light the ground from a fixed sun.
 *
 * cos θ between the sun and the normal of the ground (with its heights exaggerated), 0 where it
 * is turned away. `several` blends four suns 45° apart, each weighted by sin² of the angle
 * between its direction and the slope's [Mark1992]: what lies in shade keeps its form.
 *
 * Reads `elevation` (ny, nx) [m]; writes `hillshade` (ny, nx) float32, 0 to 1.
 * Guaranteed: flat ground gives sin(altitude); a plane gives one value everywhere; windows meet
 * without a seam (halo 1).
 *
 * Examples
 * --------
 * >>> from downcut.grid import Grid
 * >>> light = Hillshade(altitude=30)([[5.0, 5.0]], grid=Grid(1, 2))
 * >>> round(float(light[0, 0]), 6)
 * 0.5
 */
export interface Hillshade {
  op?: "surface.hillshade";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * Where the light comes from, clockwise from north: 315 is the north-west of maps.
   */
  azimuth?: number;
  /**
   * How high the sun stands above the horizon; a low sun shows gentle forms.
   */
  altitude?: number;
  /**
   * How many times steeper the ground is drawn; above 1 for plains.
   */
  vertical_exaggeration?: number;
  /**
   * One sun, or a blend of four that leaves no slope in the dark.
   */
  sun?: "single" | "several";
}
/**
 * Colour the land by its height.
 *
 * Linear between stops, in linear light (so that no mixture is too dark), and the end stops'
 * colours beyond them; then 8-bit sRGB. Heights are metres, never a share of the map's range:
 * the same height has the same colour on every map, and tiles meet.
 *
 * Reads `elevation` (ny, nx) [m]; writes `colour` (ny, nx, 3) uint8.
 *
 * Examples
 * --------
 * >>> from downcut.grid import Grid
 * >>> Palette()([[-90.0, 90.0]], grid=Grid(1, 2))[0].tolist()
 * [[63, 97, 170], [255, 255, 255]]
 */
export interface Palette {
  op?: "surface.palette";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * Colours by rising height.
   *
   * @minItems 2
   * @maxItems 64
   */
  stops?: Stop[];
}
/**
 * A colour at a height.
 */
export interface Stop {
  /**
   * Where the colour is pure.
   */
  elevation: number;
  /**
   * Red light, linear.
   */
  red: number;
  /**
   * Green light, linear.
   */
  green: number;
  /**
   * Blue light, linear.
   */
  blue: number;
}
/**
 * Divide the land into biomes.
 *
 * Where there is a sea: below it by depth, on the coast's gentle ground a beach. Then by height
 * above the sea, or above the datum on a land without one: what grows by moisture up to the tree
 * line, alpine meadow up to the snow line, snow above it.
 * Ground steeper than `rock_angle` is rock at any height, unless it is under water.
 *
 * Reads `elevation` (ny, nx) [m] and, where there is one, `moisture` (ny, nx) 0 to 1; writes
 * `biome` (ny, nx) uint8, numbers of `LEGEND`. Guaranteed: each cell depends on its neighbours
 * only (halo 1), so windows meet without a seam.
 *
 * Examples
 * --------
 * >>> from downcut.grid import Grid
 * >>> heights = [[-300.0, -300.0, 400.0, 400.0, 3000.0, 3000.0]]
 * >>> biome = Biomes()(heights, grid=Grid(1, 6, 1e4), sea_level=0)
 * >>> [LEGEND[number].name for number in biome[0]]
 * ['deep sea', 'deep sea', 'grassland', 'grassland', 'snow', 'snow']
 */
export interface Biomes {
  op?: "surface.biomes";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * Down to this depth the sea is shallow.
   */
  shallow_depth?: number;
  /**
   * Up to this height gentle ground by the sea is a beach; 0 for none.
   */
  beach_height?: number;
  /**
   * Up to this height what grows depends on moisture; above it lie alpine meadows.
   */
  tree_line?: number;
  /**
   * Above this height lies snow.
   */
  snow_line?: number;
  /**
   * Steeper ground is bare rock.
   */
  rock_angle?: number;
  /**
   * Steeper coasts have no beach.
   */
  beach_angle?: number;
  /**
   * How moist it is where no moisture layer is made: 0 desert, 0.5 grassland, 1 rain forest.
   */
  usual_moisture?: number;
}
/**
 * Choose the ground's material by its slope.
 *
 * The normal's up component n = cos(slope angle) blends grass into rock: rock is the smoothstep
 * of n from cos(grass_angle), where it is 0, to cos(rock_angle), where it is 1. A cheap stand-in
 * for texturing each side of a cliff.
 *
 * Reads `elevation` (ny, nx) [m]; writes `rock` (ny, nx) float32, the share of rock; the rest is
 * grass. Guaranteed: rises with the slope; windows meet without a seam (halo 1).
 *
 * Examples
 * --------
 * >>> from downcut.grid import Grid
 * >>> Materials()([[0.0, 0.0, 9.0]], grid=Grid(1, 3))[0].round(2).tolist()
 * [0.0, 1.0, 1.0]
 */
export interface Materials {
  op?: "surface.materials";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * Up to this slope all is grass.
   */
  grass_angle?: number;
  /**
   * From this slope on all is bare rock.
   */
  rock_angle?: number;
}
/**
 * Tell how open the ground is to the sky.
 *
 * The share of the light of an even sky that reaches a matt surface:
 * V = 1/π ∫ cos θ dω over what is not hidden by the land around, θ from the surface's own normal.
 * In each of 16 directions the horizon is looked for up to `radius`; between two opposite
 * horizons the integral has a closed form [Jimenez2016]. Far cells are looked at ever more
 * sparsely, an eighth of their distance apart.
 *
 * Reads `elevation` (ny, nx) [m]; writes `occlusion` (ny, nx) float32, 0 hidden to 1 open.
 * Guaranteed: any plane gives 1, its edges included; the bottom of a wide V of slope α gives
 * cos α within 0.005, and ground from which a long wall rises 45° gives (1 + √½) / 2 within 0.01;
 * windows meet without a seam (halo: `radius`).
 *
 * Examples
 * --------
 * >>> from downcut.grid import Grid
 * >>> heights = [[9.0, 0.0, 0.0, 0.0]]
 * >>> (100 * Occlusion(radius=3)(heights, grid=Grid(1, 4))[0]).round().tolist()
 * [100.0, 90.0, 93.0, 93.0]
 */
export interface Occlusion {
  op?: "surface.occlusion";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * How far away land may hide the sky; the wider, the broader the shade.
   */
  radius?: number;
}
/**
 * Share the ground out among grass, rock, sand and snow.
 *
 * Rock takes the steep ground: the smoothstep of the normal's up component, as in
 * `surface.materials`. Of what is left, snow takes the heights above the snow line, then sand the
 * beds of lakes and sea and gentle ground by the sea; grass has the rest. Heights are above the
 * sea, or above the datum on a land without one.
 *
 * Reads `elevation` (ny, nx) [m] and, where there is one, `water_depth` (ny, nx) [m]; writes
 * `splat` (ny, nx, 4) uint8: grass, rock, sand, snow. Guaranteed: the four of a cell add up to
 * 255, each within 1 of 255 × its share and the largest within 2; windows meet without a seam
 * (halo 1).
 *
 * Examples
 * --------
 * >>> from downcut.grid import Grid
 * >>> heights = [[-9.0, -9.0, 50.0, 50.0, 3000.0, 3000.0]]
 * >>> Splat()(heights, grid=Grid(1, 6, 1e5), sea_level=0)[0, ::2].tolist()
 * [[0, 0, 255, 0], [255, 0, 0, 0], [0, 0, 0, 255]]
 */
export interface Splat {
  op?: "surface.splat";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * Up to this slope there is no rock.
   */
  grass_angle?: number;
  /**
   * From this slope on all is rock.
   */
  rock_angle?: number;
  /**
   * At this height snow covers half of the ground.
   */
  snow_line?: number;
  /**
   * Over how many metres of height snow goes from none to all.
   */
  snow_blend?: number;
  /**
   * At this height above the sea half of the ground is sand, and none from twice of it on.
   */
  beach_height?: number;
}
/**
 * Stand things on the land where the ground suits them, none nearer to another than it may be.
 *
 * How likely a thing is to stand somewhere is the product of what each rule says of the place:
 * slope, height, wetness, distance to water, depth of water, biome. Places come out of hashes of
 * the world's own squares (`spacing.places`), so that any window has the same.
 *
 * Reads elevation (ny, nx) [m] and, where they are, water_depth [m], water_distance [m], wetness
 * and biome; where there is no water_depth, ground below the sea's level counts as water, and
 * without water_distance nothing stands that wants water near. Writes grass (ny, nx) uint8, how
 * densely it grows, 0 to 255. Gives `plants` and `stones`: id, kind (a place in
 * `features.KINDS`), x, y, elevation [m], scale, turn [rad], tint 0 to 1, and species, a place in
 * `features.SPECIES`: conifers stand higher up than broad-leaved trees, pines by the sea.
 *
 * Things closer than half a cell are left out: their ground is not known so finely.
 *
 * Things of several entries make room for each other (`rooms.ROOM`): where the places of two are
 * too near, the smaller thing is left out.
 *
 * Guaranteed: two things of one entry are never nearer than its spacing, two of different entries
 * never nearer than the room that both need, or of one kind than the smaller spacing; none stands
 * where a rule gives 0; a window with its halo has the same things as the whole, to the last bit.
 *
 * Examples
 * --------
 * >>> run, flat = Run(), np.full((64, 64), 100.0)
 * >>> grass = Scatter()(flat, grid=Grid(64, 64, 2.0), seed=1, run=run)
 * >>> int(grass.min()), len(run.features["plants"]) > 50
 * (255, True)
 */
export interface Scatter {
  op?: "surface.scatter";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * The kinds of things, each with its rules.
   *
   * @maxItems 32
   */
  things?: Thing[];
  /**
   * No grass on steeper ground than this.
   */
  grass_steepest?: number;
  /**
   * No grass higher than this above the sea, or above the datum on a land without one.
   */
  grass_highest?: number;
}
/**
 * One kind of thing, and the ground that it likes.
 */
export interface Thing {
  /**
   * What it is.
   */
  kind?: "tree" | "bush" | "flower" | "reed" | "stone" | "pebble";
  /**
   * The least distance between two.
   */
  spacing?: number;
  /**
   * How many of the places that suit are taken.
   */
  cover?: number;
  /**
   * Only on steeper ground than this.
   */
  flattest?: number;
  /**
   * Never on steeper ground than this.
   */
  steepest?: number;
  /**
   * Never higher than this above the sea, or above the datum on a land without one.
   */
  highest?: number;
  /**
   * 1 for wet ground alone, −1 for dry ground alone, 0 for either.
   */
  wet?: number;
  /**
   * No nearer to water than this.
   */
  nearest_water?: number;
  /**
   * No farther from water than this, in any biome; none for anywhere.
   */
  farthest_water?: number | null;
  /**
   * How deep under water it may be.
   */
  deepest?: number;
  /**
   * How wide the patches are in which it stands.
   */
  patch?: number;
  /**
   * 0 for evenly spread, 1 for nothing between the patches.
   */
  patchiness?: number;
}
/**
 * Plant the glade: grass, flowers and trees on the meadow, pebbles and stones in its stream.
 *
 * Blades of grass are spread evenly over a disc about the middle, at r = radius · √u, none nearer
 * to the stream's line than `bank`. One great tree stands to the north-west and smaller ones
 * about it, a ring of far trees closes the view, pebbles lie on the bed and stones on both banks.
 *
 * Reads elevation (ny, nx) [m], for the heights of what stands there. Writes grass (ny, nx)
 * uint8, 255 on the meadow and 0 in the stream. Gives `plants`, `stones` and `blades`: id, kind
 * (a place in `features.KINDS`), x, y, elevation [m], scale, turn [rad], tint 0 to 1, species and,
 * of blades, tilt [rad].
 *
 * Guaranteed: as many blades as asked for where the grid holds the disc; every thing depends on
 * the seed and its number alone, so that a window has those of the whole that lie on it.
 *
 * Examples
 * --------
 * >>> run = Run()
 * >>> grass = Meadow(blades=500)(np.zeros((120, 120)), grid=Grid(120, 120, 1.0), run=run)
 * >>> len(run.features["blades"]), int(grass.min()), int(grass.max())
 * (500, 0, 255)
 */
export interface Meadow {
  op?: "surface.meadow";
  /**
   * Which version of the step's arithmetic the recipe was made with.
   */
  algorithm?: number;
  /**
   * How many blades of grass.
   */
  blades?: number;
  /**
   * How far from the middle they grow.
   */
  radius?: number;
  /**
   * How near to the stream's line grass and flowers grow.
   */
  bank?: number;
  /**
   * How many trees there are beside the great one.
   */
  trees?: number;
  /**
   * How many flowers.
   */
  flowers?: number;
  /**
   * How many pebbles lie on the bed.
   */
  pebbles?: number;
  /**
   * How many stones lie on the banks.
   */
  stones?: number;
  /**
   * How many trees close the view.
   */
  far_trees?: number;
}
/**
 * Do several steps in turn, many times: rain and sliding slopes, uplift and rivers.
 */
export interface Repeat {
  op?: "repeat";
  /**
   * How many rounds.
   */
  times?: number;
  /**
   * Cell of the lattice that all rounds run on; none for the land's own cells.
   */
  feature_size?: number | null;
  /**
   * The steps of a round, in order.
   *
   * @minItems 1
   * @maxItems 100
   */
  steps: (
    | Fbm
    | Ridged
    | Billow
    | Constant
    | Island
    | Sines
    | Glade
    | Valley
    | Strata
    | Continents
    | Heightmap
    | Droplets
    | Thermal
    | StreamPower
    | Hillslope
    | Breach
    | CarveRivers
    | Coast
    | Lakes
    | Drainage
    | Rivers
    | Basins
    | DistanceToWater
    | HeightAboveDrainage
    | Wetness
    | Normals
    | Hillshade
    | Palette
    | Biomes
    | Materials
    | Occlusion
    | Splat
    | Scatter
    | Meadow
    | Repeat
  )[];
}
