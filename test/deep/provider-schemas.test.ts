import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonSchema } from '@service-mcp/core';
import { briefEntry } from '@service-mcp/core/wire';
import { defaultTools } from '../checks/deployment.js';
import { sampleArguments } from '../security/sample-arguments.js';
import { installPackages } from './clients/install.js';

const PACKAGES = ['openai@7.57.0', '@ai-sdk/google@4.0.121', 'zod@4.6.7', '@mlc-ai/web-xgrammar@0.1.27'];

/** Arguments whose fields the client names. The strict mode of OpenAI has no such objects. */
const MAPS = /\/(?:metadata|arguments)$/;

interface OpenAI {
  readonly toStrictJsonSchema: (schema: JsonSchema) => JsonSchema;
}
interface Google {
  createGoogleGenerativeAI(settings: {
    readonly apiKey: string;
    readonly fetch: typeof fetch;
  }): (model: string) => { doGenerate(request: object): Promise<unknown> };
}
/** The grammars of XGrammar, which vLLM, SGLang and others constrain models by. */
interface XGrammar {
  readonly TokenizerInfo: {
    createTokenizerInfo(...about: [vocabulary: string[], type: 'raw', ...rest: unknown[]]): Promise<object>;
  };
  readonly GrammarCompiler: {
    createGrammarCompiler(tokenizer: object): Promise<{ compileJSONSchema(schema: string): Promise<object> }>;
  };
  readonly GrammarMatcher: {
    createGrammarMatcher(grammar: object, stops: undefined, endsWithoutStop: true): Promise<Matcher>;
  };
}
interface Matcher {
  _acceptString(text: string): boolean;
  isTerminated(): boolean;
  dispose(): void;
}
interface Declaration {
  readonly name: string;
  readonly parameters?: JsonSchema;
}

describe('listed tools, converted by the libraries of model providers', () => {
  let folder: string;
  let entries: readonly ReturnType<typeof briefEntry>[];
  const load = (...path: string[]) =>
    import(pathToFileURL(join(folder, 'node_modules', ...path)).href) as Promise<unknown>;
  before(async () => {
    folder = await installPackages(PACKAGES);
    // Not while files of tests are loaded: Node 20 confuses modules that are imported and required at once.
    entries = (await defaultTools()).map(({ info }) => briefEntry(info));
  });

  it('to the strict mode of OpenAI, where every argument is required', async () => {
    const { toStrictJsonSchema } = (await load('openai', 'lib', 'transform.mjs')) as OpenAI;
    for (const { name, inputSchema } of entries) {
      const { schema, left } = nullable(inputSchema);
      assert.ok(
        left.every((path) => MAPS.test(path)),
        `${name}: ${left.join(', ')}`,
      );
      assert.doesNotThrow(() => toStrictJsonSchema(schema), name);
    }
  });

  it('to the parameters of Gemini', async () => {
    const module = (await load('@ai-sdk', 'google', 'dist', 'index.js')) as Google;
    let sent = '';
    const model = module.createGoogleGenerativeAI({
      apiKey: 'none',
      fetch: (_url, init) => {
        sent = init?.body as string; // the library sends JSON
        return Promise.reject(new Error('nothing is sent'));
      },
    })('gemini-2.5-flash');
    const tools = entries.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      inputSchema,
    }));
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'x' }] }];
    await assert.rejects(model.doGenerate({ prompt, tools }), /nothing is sent/);
    const [{ functionDeclarations: declared }] = (
      JSON.parse(sent) as { tools: [{ functionDeclarations: Declaration[] }] }
    ).tools;
    assert.deepEqual(
      declared.map(({ name }) => name),
      tools.map(({ name }) => name),
    );
    for (const { name, parameters } of declared) assert.deepEqual(untyped(parameters ?? {}, name), []);
  });

  it('to a grammar that takes their arguments and no others', async () => {
    const lib = join(folder, 'node_modules', '@mlc-ai', 'web-xgrammar', 'lib');
    await copyFile(join(lib, 'index.js'), join(lib, 'index.cjs')); // it is CommonJS in a package of modules
    const { default: xgrammar } = (await load('@mlc-ai', 'web-xgrammar', 'lib', 'index.cjs')) as {
      readonly default: XGrammar;
    };
    const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    const tokenizer = await xgrammar.TokenizerInfo.createTokenizerInfo(ascii, 'raw', false, 128, [0]);
    const compiler = await xgrammar.GrammarCompiler.createGrammarCompiler(tokenizer);
    for (const { name, inputSchema } of entries) {
      const grammar = await compiler.compileJSONSchema(JSON.stringify(inputSchema));
      const takes = async (text: string) => {
        const matcher = await xgrammar.GrammarMatcher.createGrammarMatcher(grammar, undefined, true);
        const taken = matcher._acceptString(text) && matcher.isTerminated();
        matcher.dispose();
        return taken;
      };
      const args = JSON.stringify(sampleArguments(inputSchema));
      assert.equal(await takes(args), true, `${name} ${args}`);
      assert.equal(await takes(`{"no_such_argument":1}`), false, name);
    }
  });
});

/** A schema as clients change it for strict modes: what is optional may be null. Maps are left out, with their paths. */
function nullable(schema: JsonSchema, path = ''): { schema: JsonSchema; left: string[] } {
  const left: string[] = [];
  const inside = (part: JsonSchema, at: string): JsonSchema => {
    const converted = nullable(part, at);
    left.push(...converted.left);
    return converted.schema;
  };
  const {
    properties,
    items,
    required = [],
  } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly items?: JsonSchema;
    readonly required?: readonly string[];
  };
  if (items) return { schema: { ...schema, items: inside(items, `${path}/*`) }, left };
  if (!properties) return { schema, left };
  const changed = Object.entries(properties).flatMap(([name, property]) => {
    const at = `${path}/${name}`;
    if (property['additionalProperties'] === true) {
      left.push(at);
      return [];
    }
    const { default: _default, ...part } = inside(property, at);
    return [[name, required.includes(name) ? part : { anyOf: [part, { type: 'null' }] }]];
  });
  const names = changed.map(([name]) => name);
  return {
    schema: { ...schema, properties: Object.fromEntries(changed) as JsonSchema, required: names },
    left,
  };
}

/** The places of a converted schema without a type. */
function untyped(schema: JsonSchema, path: string): string[] {
  const { type, anyOf, properties, items } = schema as {
    readonly type?: string;
    readonly anyOf?: readonly JsonSchema[];
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly items?: JsonSchema;
  };
  const parts = [
    ...Object.entries(properties ?? {}),
    ...(anyOf ?? []).entries(),
    ...(items ? [['*', items] as const] : []),
  ];
  const own = path.includes('/') && type === undefined && !anyOf ? [path] : [];
  return [...own, ...parts.flatMap(([name, part]) => untyped(part, `${path}/${name}`))];
}
