import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  FORMATS,
  openTokenizer,
  pack,
  type Candidate,
  type FormatName,
} from '@service-mcp/plugin-ai/internals';

const KINDS = ['code', 'doc', 'decision', 'memory'] as const;
/** Texts that tokenize badly, close fences and tags, or are special to tokenizers. */
const HOSTILE = [
  '```\n````\n',
  ']]></section>',
  '<|endoftext|>',
  '\u{1F980}'.repeat(30),
  'a'.repeat(300),
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

describe('packing of context', function () {
  this.timeout(60_000);

  it('never exceeds the budget, and its sections are lines of its candidates', async () => {
    const tokenizer = await openTokenizer();
    fc.assert(
      fc.property(
        fc.array(candidate, { maxLength: 12 }),
        fc.integer({ min: 100, max: 1500 }),
        fc.integer({ min: 1, max: 10 }),
        fc.constantFrom<FormatName>('markdown', 'xml', 'json'),
        (candidates, maxTokens, maxSections, name) => {
          const format = FORMATS[name];
          const packed = pack(candidates, { maxTokens, maxSections }, { format, tokenizer });
          assert.ok(tokenizer.count(packed.context) <= maxTokens);
          assert.equal(tokenizer.count(packed.context), packed.tokens);
          assert.ok(packed.sections.length <= maxSections);
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
          if (name === 'json' && packed.context !== '') JSON.parse(packed.context);
          assert.deepEqual(pack(candidates, { maxTokens, maxSections }, { format, tokenizer }), packed);
        },
      ),
      { numRuns: 300 },
    );
  });

  const section = (more: Partial<Candidate>): Candidate => ({
    kind: 'code',
    title: 'f',
    path: 'a.ts',
    projectId: 'p',
    startLine: 1,
    endLine: 1,
    text: 'f()',
    score: 1,
    reason: 'because',
    ...more,
  });
  const packed = async (candidates: readonly Candidate[], maxTokens = 4000) =>
    pack(
      candidates,
      { maxTokens, maxSections: 50 },
      { format: FORMATS.markdown, tokenizer: await openTokenizer() },
    );

  it('takes one of overlapping lines, and one of nearly equal texts', async () => {
    const body = Array.from({ length: 10 }, (_none, line) => `statement number ${line};`).join('\n');
    const { sections } = await packed([
      section({ text: body, endLine: 10 }),
      section({ startLine: 5, endLine: 6, text: 'x', score: 0.9 }),
      section({ path: 'copy.ts', text: body.replace('number 9', 'number nine'), endLine: 10, score: 0.8 }),
      section({ path: 'b.ts', text: 'another()', score: 0.1 }),
    ]);
    assert.deepEqual(
      sections.map(({ path }) => path),
      ['a.ts', 'b.ts'],
    );
  });

  it('shortens what does not fit to whole lines around its focus', async () => {
    const lines = Array.from({ length: 400 }, (_none, line) => `const value${line} = compute(${line});`);
    const { sections, tokens } = await packed(
      [section({ text: lines.join('\n'), startLine: 11, endLine: 410, focus: [200] })],
      300,
    );
    const [only] = sections;
    assert.ok(only && tokens > 200 && tokens <= 300);
    assert.match(only.text, /^const value\d+ = compute\(\d+\);\n[^]*;$/);
    assert.ok(only.text.includes('value200 '));
    assert.equal(only.text.split('\n')[0], lines[(only.startLine ?? 0) - 11]);
    assert.match(only.reason, /shortened/);
  });

  it('puts memory first, and sections of a file together from its top', async () => {
    const { sections } = await packed([
      section({ startLine: 50, endLine: 50, text: 'second()' }),
      section({ path: 'b.ts', text: 'other()', score: 0.9 }),
      section({ startLine: 2, endLine: 2, text: 'first()', score: 0.5 }),
      { kind: 'decision', title: 'd', id: '1', text: 'We use knex.', score: 0.2, reason: 'decision' },
    ]);
    assert.deepEqual(
      sections.map(({ id, path, startLine }) => id ?? `${path}:${startLine}`),
      ['1', 'a.ts:2', 'a.ts:50', 'b.ts:1'],
    );
  });
});
