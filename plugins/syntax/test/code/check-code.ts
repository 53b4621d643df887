import assert from 'node:assert/strict';
import { showCode } from './show-code.js';

/** A text, then the statements that it becomes. */
type Case = readonly [text: string, ...expected: string[]];

export async function checkCode(path: string, cases: readonly Case[]): Promise<void> {
  for (const [text, ...expected] of cases) assert.deepEqual(await showCode(path, text), expected, text);
}
