import assert from 'node:assert/strict';
import type { Command } from 'commander';
import fc from 'fast-check';
import { Failure } from '#cli/failure.js';
import { createProgram } from '#cli/program.js';
import { openTerminal } from '#cli/terminal/terminal.js';
import { describeTool } from '#cli/tool/describe-tool.js';
import { parseFlags } from '#cli/tool/parse-flags.js';

const schema = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    workspace_id: { type: 'string' },
    limit: { type: 'integer' },
    min_score: { type: 'number' },
    whole_word: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    mode: { enum: ['a', 'b'] },
    either: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    filters: {
      type: 'object',
      properties: {
        path_prefix: { type: 'string' },
        languages: { type: 'array', items: { type: 'string' } },
      },
    },
    anything: {},
  },
} as const;

const parse = (...tokens: string[]) => parseFlags(tokens, 'demo', schema);

describe('flags from a schema', () => {
  it('gives every value the type of its schema', () => {
    assert.deepEqual(
      parse(
        '--query',
        '5',
        '--workspace-id=w',
        '--limit',
        '5',
        '--min_score',
        '-0.5',
        '--whole-word',
        '--mode',
        'b',
        '--tags',
        'a',
        '--tags=b',
        '--either',
        'null',
        '--filters.path-prefix',
        'src/',
        '--filters.languages',
        'go',
        '--anything',
        '{"x":1}',
      ),
      {
        query: '5',
        workspace_id: 'w',
        limit: 5,
        min_score: -0.5,
        whole_word: true,
        mode: 'b',
        tags: ['a', 'b'],
        either: null,
        filters: { path_prefix: 'src/', languages: ['go'] },
        anything: { x: 1 },
      },
    );
  });

  it('reads booleans three ways, lists and objects as JSON', () => {
    assert.deepEqual(parse('--no-whole-word'), { whole_word: false });
    assert.deepEqual(parse('--whole-word', 'false'), { whole_word: false });
    assert.deepEqual(parse('--whole-word=true', '--tags', '["a","b"]', '--filters', '{"path_prefix":"x"}'), {
      whole_word: true,
      tags: ['a', 'b'],
      filters: { path_prefix: 'x' },
    });
  });

  it('refuses unknown flags and values of the wrong type, and names the expected type', () => {
    const refusals: [string[], RegExp][] = [
      [['--limt', '5'], /takes no argument --limt/],
      [['--limit', 'five'], /whole number, not "five"/],
      [['--limit', '1.5'], /whole number/],
      [['--limit'], /needs a value/],
      [['--whole-word=yes'], /true or false/],
      [['--filters', '{x'], /not valid JSON/],
      [['--filters.nope', 'x'], /takes no argument/],
      [['--__proto__', 'x'], /takes no argument/],
      [['stray'], /is not an argument/],
    ];
    for (const [tokens, message] of refusals) {
      assert.throws(
        () => parse(...tokens),
        (thrown) => thrown instanceof Failure && message.test(thrown.message),
      );
    }
  });

  it('carries any text and any integer unharmed', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer(), (query, limit) => {
        assert.deepEqual(parse(`--query=${query}`, `--limit=${limit}`), { query, limit });
      }),
    );
  });
});

describe('a tool described', () => {
  const describeFields = (properties: object) =>
    describeTool(
      {
        name: 'demo',
        title: 'Demo',
        description: 'Tells.',
        inputSchema: { type: 'object', properties },
        outputSchema: {},
        annotations: {
          title: 'Demo',
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
      openTerminal(false),
    ).join('\n');

  it('says how a time is written, where it takes one', () => {
    const filters = { type: 'object', properties: { since: { type: 'string', format: 'date-time' } } };
    assert.match(describeFields({ filters }), /--filters.since {2}time\n[^]*RFC 3339[^]* day of UTC/);
    assert.doesNotMatch(describeFields({ query: { type: 'string' } }), /time:/);
  });
});

describe('every command', () => {
  it('takes --json', () => {
    const invocation = { terminal: openTerminal(false), signal: new AbortController().signal };
    const leaves = (command: Command): Command[] =>
      command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
    const without = leaves(createProgram(invocation, () => undefined)).filter(
      ({ options }) => !options.some(({ long }) => long === '--json'),
    );
    assert.deepEqual(
      without.map((command) => command.name()),
      [],
    );
  });
});
