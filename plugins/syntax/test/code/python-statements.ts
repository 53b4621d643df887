import assert from 'node:assert/strict';
import { lowerText, without } from './lower-text.js';

/** Declares a test for each text of Python, by title, with the statements that it becomes, without their symbols. */
export function itLowers(
  cases: Readonly<Record<string, readonly [text: string, expected: unknown[]]>>,
): void {
  for (const [title, [text, expected]] of Object.entries(cases))
    it(title, async () => {
      const { body } = await lowerText('a.py', text);
      assert.deepEqual(without(body, 'symbol'), expected);
    });
}
