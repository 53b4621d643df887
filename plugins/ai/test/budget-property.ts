import assert from 'node:assert/strict';
import { estimateTokens } from '@service-mcp/core';
import fc from 'fast-check';
import {
  FORMATS,
  openTokenizer,
  pack,
  type Candidate,
  type FormatName,
} from '@service-mcp/plugin-ai/internals';

const KINDS = ['code', 'doc', 'graph', 'decision', 'constraint', 'memory'] as const;
/** Texts that tokenize badly, close fences and tags, or are special to tokenizers. */
const HOSTILE = [
  '```\n````\n',
  ']]></section>',
  '<|endoftext|>',
  '\u{1F980}'.repeat(30),
  'a'.repeat(300),
  'A sentence. '.repeat(100),
  '\n\n\n',
  '"&<',
];

const text = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.string({ maxLength: 80 }) },
      { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
    ),
    { maxLength: 30 },
  )
  .map((lines) => lines.join('\n'));

const candidate: fc.Arbitrary<Candidate> = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    title: fc.string({ maxLength: 40 }),
    place: fc.option(
      fc.record({ path: fc.constantFrom('a.ts', 'b/c.py'), startLine: fc.integer({ min: 1, max: 500 }) }),
    ),
    id: fc.uuid(),
    text,
    score: fc.double({ min: 0, max: 1, noNaN: true }),
    focus: fc.array(fc.nat(40), { maxLength: 3 }),
  })
  .map(({ place, id, ...rest }) => {
    const lines = rest.text.split('\n').length;
    const where = place ? { ...place, projectId: 'p', endLine: place.startLine + lines - 1 } : { id };
    return { ...rest, ...where, reason: 'because' };
  });

/** Budgets of the whole range that a request may have, most of them tight. */
const maxTokens = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 100, max: 1500 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1500, max: 100_000 }) },
);

/** Packs random candidates into random budgets: none is exceeded, and what was packed are lines of its candidates. */
export async function checkBudgets(runs: number): Promise<void> {
  const tokenizer = await openTokenizer();
  fc.assert(
    fc.property(
      fc.array(candidate, { maxLength: 12 }),
      maxTokens,
      fc.integer({ min: 1, max: 12 }),
      fc.option(fc.integer({ min: 100, max: 5000 }), { nil: undefined }),
      fc.constantFrom<FormatName>('markdown', 'xml', 'json'),
      (candidates, tokens, maxSections, maxEstimate, name) => {
        const format = FORMATS[name];
        const budget = {
          maxTokens: tokens,
          maxSections,
          ...(maxEstimate !== undefined && { maxEstimate }),
        };
        const packed = pack(candidates, budget, { format, tokenizer });
        assert.ok(packed.tokens <= tokens);
        assert.equal(tokenizer.count(packed.context), packed.tokens);
        assert.ok(packed.sections.length <= maxSections);
        const entries = packed.sections.map(({ title, path, reason }) => ({ title, path, reason }));
        const answer = JSON.stringify({ context: packed.context, entries });
        if (maxEstimate !== undefined) assert.ok(estimateTokens(answer) <= maxEstimate + 12.5);
        for (const section of packed.sections) {
          const from = candidates.find(
            (each) =>
              (section.id !== undefined ? each.id === section.id : each.path === section.path) &&
              each.text.includes(section.text),
          );
          assert.ok(from, 'a section of no candidate');
          if (section.startLine === undefined) continue;
          const lines = section.text.split('\n').length;
          assert.equal(section.endLine, section.startLine + lines - 1);
        }
        if (name === 'json')
          assert.equal((JSON.parse(packed.context) as object[]).length, packed.sections.length);
        assert.deepEqual(pack(candidates, budget, { format, tokenizer }), packed);
      },
    ),
    { numRuns: runs },
  );
}
