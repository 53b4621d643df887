/** A tensor as numbers, row by row. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** Reads a value of a type at an offset. */
const READERS: Readonly<
  Record<string, { readonly bytes: number; read(view: DataView, at: number): number }>
> = {
  F64: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
  F32: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  F16: { bytes: 2, read: (view, at) => halfToNumber(view.getUint16(at, true)) },
  I64: { bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
  I32: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  I8: { bytes: 1, read: (view, at) => view.getInt8(at) },
};

/**
 * The tensors of a safetensors file (https://huggingface.co/docs/safetensors: the length of a JSON header, the header, the
 * data). Throws for a file that is not one, and for types it does not know.
 */
export function readTensors(file: Buffer): Map<string, Tensor> {
  const headEnd = file.length < 8 ? Infinity : 8 + Number(file.readBigUInt64LE(0));
  if (headEnd > file.length) throw new Error('model.safetensors is not a safetensors file');
  const head = JSON.parse(file.toString('utf8', 8, headEnd)) as Record<string, Entry>;
  const tensors = new Map<string, Tensor>();
  for (const [name, { dtype, shape, data_offsets }] of Object.entries(head)) {
    if (name === '__metadata__') continue;
    const reader = READERS[dtype];
    const [from, to] = data_offsets;
    const count = shape.reduce((product, size) => product * size, 1);
    if (!reader) throw new Error(`model.safetensors: tensors of type ${dtype} are not supported`);
    if (to - from !== count * reader.bytes || headEnd + to > file.length)
      throw new Error(`model.safetensors: the tensor ${name} is cut off`);
    const view = new DataView(file.buffer, file.byteOffset + headEnd + from, to - from);
    const values = new Float32Array(count);
    for (let i = 0; i < count; i++) values[i] = reader.read(view, i * reader.bytes);
    tensors.set(name, { shape, values });
  }
  return tensors;
}

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [from: number, to: number];
}

/** IEEE 754 binary16. */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
