import assert from 'node:assert/strict';
import { matchingSentences, rationaleOf } from '#memory/services/sentences.js';

describe('sentences of a record', () => {
  it('give the reasons of a decision', () => {
    for (const text of [
      'We ship.\n\n## Why:\n\nFridays are quiet.\n\n# Next\nx',
      'Reasons\r\nFridays are quiet.',
    ])
      assert.equal(rationaleOf(text, 100), 'Fridays are quiet.');
    assert.equal(
      rationaleOf('We ship because Fridays are quiet. Nobody works.', 100),
      'We ship because Fridays are quiet.',
    );
    assert.equal(rationaleOf('We ship.', 100), '');
  });

  // A page of decisions asks for a hundred of them, in the event loop of the service.
  it('are read in a time that grows with their length alone', () => {
    const startedAt = performance.now();
    for (const unit of ['\n', ' ', '#', '\n ', 'why ', 'why\n', '. '])
      for (const start of ['x', 'why', 'why:']) rationaleOf(`${start}${unit.repeat(20_000)}#`, 100);
    assert.ok(performance.now() - startedAt < 2000);
  });

  it('that match are chosen in no time from a text of words that match', () => {
    const text = 'kk. '.repeat(25_000);
    const highlights = Array.from({ length: 25_000 }, (_, n) => ({ start: n * 4, end: n * 4 + 2 }));
    const startedAt = performance.now();
    assert.match(matchingSentences(text, highlights, 300), /^kk\. kk\./);
    assert.ok(performance.now() - startedAt < 1000);
  });
});
