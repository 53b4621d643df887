import assert from 'node:assert/strict';
import { excerpt } from '@service-mcp/plugin-search/contract';

const section = (number: number) => `Section ${number}. A carrier gets label ${number}, above all by post.`;
const LONG = Array.from({ length: 60 }, (_, i) =>
  i === 41 ? 'Parcels above 31.5 kg go to a freight partner.' : section(i),
).join('\n\n');

describe('excerpt of a whole text', () => {
  it('shows the part with most of what the query says, not its first word', () => {
    const { content, truncated } = excerpt(LONG, 'parcels above 31.5 kg', 200);
    assert.match(content, /Parcels above 31\.5 kg/);
    assert.ok(truncated && content.length <= 200);
  });

  it('prefers a word that the text has once to one that it repeats', () => {
    assert.match(excerpt(LONG, 'which carrier takes freight', 100).content, /freight partner/);
  });

  it('shows the first of equal parts', () => {
    assert.match(excerpt(LONG, 'carrier', 100).content, /Section 0\./);
    assert.equal(
      excerpt(LONG, 'walrus', 100).content,
      LONG.slice(0, excerpt(LONG, 'walrus', 100).content.length),
    );
  });

  it('finds the part inside one long line', () => {
    const line = LONG.replaceAll('\n\n', ' ');
    assert.match(excerpt(line, 'parcels above 31.5 kg', 120).content, /Parcels above 31\.5 kg/);
  });
});
