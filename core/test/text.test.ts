import assert from 'node:assert/strict';
import { editDistance, estimateTokens, oneLine } from '@service-mcp/core';

describe('the edit distance of two words', () => {
  const cases: ReadonlyArray<readonly [string, string, number]> = [
    ['', '', 0],
    ['', 'ab', 2],
    ['ab', '', 2],
    ['kitten', 'sitting', 3],
    ['recieve', 'receive', 2],
    ['mapper', 'maper', 1],
    ['abcdef', 'xabcde', 2],
    ['a'.repeat(40), `${'a'.repeat(38)}bb`, 2],
    ['completely', 'otherwise', 9],
  ];
  for (const [a, b, distance] of cases)
    it(`of "${a.slice(0, 12)}" and "${b.slice(0, 12)}" is ${distance}, and is not told over a limit`, () => {
      assert.deepEqual([editDistance(a, b), editDistance(b, a)], [distance, distance]);
      for (let limit = 0; limit <= distance + 1; limit += 1)
        assert.equal(editDistance(a, b, limit), limit < distance ? Infinity : distance, `limit ${limit}`);
    });
});

describe('the estimate of tokens', () => {
  const cases: ReadonlyArray<readonly [string, string, number]> = [
    ['ASCII', 'four', 1],
    ['other alphabets', 'éжλع', 2],
    ['Chinese, Japanese and Korean', '数据ベ데', 4],
    ['emoji', '😀', 2],
    ['a text without a character', '', 0],
  ];
  for (const [script, text, tokens] of cases)
    it(`of ${script}`, () => assert.equal(estimateTokens(text), tokens));
});

describe('a text within a line of others', () => {
  const cases: ReadonlyArray<readonly [string, string, string]> = [
    ['line ends and blanks', ' a\r\n\t b\u2028c\u0085d ', 'a b c d'],
    ['escape sequences', 'a\u001b[31mb', 'a [31mb'],
    ['what sets the direction of text', 'a\u202Egnp.exe\u202C \u2066b\u2069', 'a gnp.exe b'],
    [
      'letters and emoji of several characters',
      'می\u200cخواهم 👨\u200d👩\u200d👧',
      'می\u200cخواهم 👨\u200d👩\u200d👧',
    ],
  ];
  for (const [what, text, line] of cases) it(`has ${what}`, () => assert.equal(oneLine(text), line));
});
