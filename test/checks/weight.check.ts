import assert from 'node:assert/strict';
import { LEVELS, selects } from '@service-mcp/core';
import { briefEntry } from '@service-mcp/core/wire';
import { defaultTools } from './deployment.js';

/** The budget of the standard toolset: models read the whole list before the first question. */
const MAX_TOOLS = 25;
const MAX_TOKENS = 12_000;
const BYTES_PER_TOKEN = 4;
/** The budget of the toolset for clients that cannot take a long list. */
const MAX_META_TOKENS = 2_000;

const tools = await defaultTools();

interface Weight {
  readonly tools: number;
  readonly bytes: number;
  readonly tokens: number;
}

/** Bytes and tokens of tools/list of a level or toolset, as sent. */
function weigh(word: string): Weight {
  const listed = tools.filter(({ info }) => selects({ toolsets: [word], readOnly: false }, info));
  const entries = listed.map(({ info }) => briefEntry(info));
  const bytes = Buffer.byteLength(JSON.stringify({ tools: entries }));
  return { tools: entries.length, bytes, tokens: Math.ceil(bytes / BYTES_PER_TOKEN) };
}

describe('weight: tools/list of each level', () => {
  for (const level of LEVELS) {
    const { tools: count, bytes, tokens } = weigh(level);
    it(`${level}: ${count} tools, ${bytes} bytes, about ${tokens} tokens`, () => {
      assert.ok(count > 0);
      if (level !== 'standard') return;
      assert.ok(count <= MAX_TOOLS, `${count} tools are more than ${MAX_TOOLS}: raise the level of some`);
      assert.ok(tokens <= MAX_TOKENS, `${tokens} tokens are more than ${MAX_TOKENS}: shorten the schemas`);
    });
  }

  const meta = weigh('meta');
  it(`meta: ${meta.tools} tools, ${meta.bytes} bytes, about ${meta.tokens} tokens`, () => {
    assert.equal(meta.tools, 4);
    assert.ok(meta.tokens <= MAX_META_TOKENS, `${meta.tokens} tokens are more than ${MAX_META_TOKENS}`);
  });
});
