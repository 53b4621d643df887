const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);
const SMALLEST_NORMAL = 0x38800000;
const INFINITY = 0x7c00;

/** The bits of a number as a 16-bit float (IEEE 754 binary16), rounded to nearest, ties to even. */
export function halfBits(value: number): number {
  float[0] = value;
  const single = bits[0] ?? 0;
  const sign = (single >>> 16) & 0x8000;
  const magnitude = single & 0x7fffffff;
  if (magnitude < SMALLEST_NORMAL) return sign | Math.round(Math.abs(value) * 2 ** 24);
  const rounded = magnitude + 0xfff + ((magnitude >>> 13) & 1);
  return sign | Math.min(INFINITY, (rounded - 0x38000000) >>> 13);
}
