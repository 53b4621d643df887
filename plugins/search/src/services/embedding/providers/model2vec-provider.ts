import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { normalise } from '../term-model.js';
import { spaceIdOf, type Provider, type ProviderDescription } from './provider.js';
import { readTensors } from './safetensors.js';

/** Tokens of a text that count, as in model2vec. */
const MAX_TOKENS = 512;
/** Texts embedded between two turns of the event loop. */
const AT_ONCE = 32;

/** Names of the table in files of model2vec and of sentence-transformers. */
const TABLES = ['embeddings', 'embedding.weight'] as const;

/**
 * Embeds by a model2vec folder (`model.safetensors`, `tokenizer.json`, `config.json`): the mean of the vectors of a text's
 * tokens. Throws where the folder does not hold such a model.
 */
export async function openModel2Vec(
  folder: string,
  prefixes: Pick<ProviderDescription, 'queryPrefix' | 'passagePrefix'>,
  name = folder.split(/[\\/]/u).findLast(Boolean) ?? folder,
): Promise<Provider> {
  const weights = await readFile(join(folder, 'model.safetensors'));
  const tokenizerText = await readFile(join(folder, 'tokenizer.json'), 'utf8');
  const tokenizerConfig = await readJson(join(folder, 'tokenizer_config.json'));
  const tokenizer = new Tokenizer(JSON.parse(tokenizerText) as object, tokenizerConfig);
  const tensors = readTensors(weights);
  const table = TABLES.map((each) => tensors.get(each)).find(Boolean);
  const [rows = 0, dimensions = 0] = table?.shape ?? [];
  if (!table || dimensions === 0)
    throw new Error(`model.safetensors holds no table named ${TABLES.join(' or ')}`);
  const mapping = tensors.get('mapping');
  const factors = tensors.get('weights');
  const unknown = unknownToken(JSON.parse(tokenizerText));
  const digest = createHash('sha256').update(weights).update(tokenizerText).digest('hex');

  const tokenize = (text: string): readonly number[] =>
    tokenizer.encode(text, { add_special_tokens: false }).ids.slice(0, MAX_TOKENS);

  function meanOf(ids: readonly number[]): Float32Array | null {
    const sum = new Float32Array(dimensions);
    for (const id of ids) {
      const row = mapping?.values[id] ?? id;
      if (id === unknown || row >= rows) continue;
      const factor = factors?.values[id] ?? 1;
      for (let k = 0; k < dimensions; k++) sum[k]! += factor * table!.values[row * dimensions + k]!;
    }
    return normalise(sum); // the mean has the same direction
  }

  const { queryPrefix, passagePrefix } = prefixes;
  const described = { provider: 'model2vec', model: name, place: folder, digest, dimensions } as const;
  const description: ProviderDescription = {
    ...described,
    asksDimensions: false,
    queryPrefix,
    passagePrefix,
    pooling: 'mean',
  };
  return {
    makes: (other) => spaceIdOf(other) === spaceIdOf(description),
    describe: () => Promise.resolve(description),
    async embed(texts, { signal }) {
      const vectors: (Float32Array | null)[] = [];
      let tokens = 0;
      for (const [at, text] of texts.entries()) {
        if (at % AT_ONCE === AT_ONCE - 1) await new Promise(setImmediate);
        signal?.throwIfAborted();
        const ids = tokenize(text);
        tokens += ids.length;
        vectors.push(meanOf(ids));
      }
      return { vectors, tokens };
    },
  };
}

async function readJson(path: string): Promise<object> {
  const text = await readFile(path, 'utf8').catch(() => '{}');
  return JSON.parse(text) as object;
}

/** The id of the token for unknown words, whose vector says nothing. */
function unknownToken(tokenizer: unknown): number | undefined {
  const { model } = tokenizer as {
    readonly model?: { readonly unk_token?: string; readonly unk_id?: number; readonly vocab?: unknown };
  };
  if (typeof model?.unk_id === 'number') return model.unk_id;
  const vocabulary = model?.vocab as Readonly<Record<string, number>> | undefined;
  return model?.unk_token === undefined ? undefined : vocabulary?.[model.unk_token];
}
