import assert from 'node:assert/strict';
import fc from 'fast-check';
import { halfBits } from '@service-mcp/plugin-search/internals';

/** The number that the bits of a 16-bit float stand for. */
function numberOf(half: number): number {
  const fraction = half & 0x3ff;
  const exponent = (half >>> 10) & 0x1f;
  const magnitude = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return half & 0x8000 ? -magnitude : magnitude;
}

function isNearest(number: number): boolean {
  const half = halfBits(number);
  const error = Math.abs(numberOf(half) - number);
  const magnitude = half & 0x7fff;
  const neighbours = [magnitude - 1, magnitude + 1].filter((each) => each >= 0 && each < 0x7c00);
  return neighbours.every((each) => error <= Math.abs(numberOf(each) - Math.abs(number)));
}

describe('16-bit floats', () => {
  it('are the nearest to a number', () => {
    for (const number of [0, 1, -1, 0.5, 1 / 3, 2049, 6.1e-5, 5.96e-8, 2e-8, 65504])
      assert.ok(isNearest(number), String(number));
    fc.assert(
      fc.property(fc.double({ min: -65504, max: 65504, noNaN: true }), (number) =>
        isNearest(Math.fround(number)),
      ),
    );
    fc.assert(
      fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (number) => isNearest(Math.fround(number))),
    );
  });

  it('end at infinity', () => {
    assert.equal(halfBits(1e6), 0x7c00);
    assert.equal(halfBits(-1e6), 0xfc00);
  });
});
