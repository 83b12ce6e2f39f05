/** A layer as it travels: a JSON header and raw little-endian numbers (see web/README.md). */

export type Numbers =
  | Float32Array
  | Int32Array
  | Uint32Array
  | Uint16Array
  | Int16Array
  | Uint8Array;

export interface Block {
  readonly layer: string;
  readonly shape: readonly number[];
  readonly unit: string;
  readonly low: number | null;
  readonly high: number | null;
  /** Cells along the longer edge of the land that was asked for. */
  readonly size?: number;
  /** Edge of a cell [m]. */
  readonly cell_size?: number;
  readonly digest?: string;
  readonly ask?: number;
  /** Where it lies, if it is a chunk of a world. */
  readonly level?: number;
  readonly row?: number;
  readonly col?: number;
  /** "live" for a field on its way. */
  readonly part?: string;
  readonly number?: number;
  readonly path?: string;
  readonly share?: number;
  /** Quantised numbers: value = offset + scale · number. */
  readonly scale?: number;
  readonly offset?: number;
  readonly data: Numbers;
}

const KINDS = {
  float32: Float32Array,
  int32: Int32Array,
  uint32: Uint32Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint8: Uint8Array,
} as const;

/**
 * Reads the block that begins at a place, without copying its numbers. Throws a RangeError or
 * TypeError if it is none.
 */
export function readBlock(buffer: ArrayBuffer, at = 0): Block {
  const length = new DataView(buffer).getUint32(at, true);
  const text = new TextDecoder().decode(new Uint8Array(buffer, at + 4, length));
  const header = JSON.parse(text) as Block & { dtype: keyof typeof KINDS };
  const Kind = KINDS[header.dtype];
  if (!Kind) throw new TypeError(`no numbers are called ${header.dtype}`);
  const count = header.shape.reduce((product, edge) => product * edge, 1);
  return { ...header, data: new Kind(buffer, at + 4 + length, count) };
}

/** Reads blocks in a row, each at a multiple of 8 [bytes], by their layers. */
export function readBlocks(buffer: ArrayBuffer): Record<string, Block> {
  const blocks: Record<string, Block> = {};
  for (let at = 0; at < buffer.byteLength; ) {
    const block = readBlock(buffer, at);
    blocks[block.layer] = block;
    at = Math.ceil((block.data.byteOffset + block.data.byteLength) / 8) * 8;
  }
  return blocks;
}

/** The values of a block as float32, dequantised; the same array where it holds them already. */
export function values(block: Block): Float32Array {
  if (block.data instanceof Float32Array) return block.data;
  const { scale = 1, offset = 0 } = block;
  return Float32Array.from(block.data, (number) => offset + scale * number);
}
