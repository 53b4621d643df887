import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { loadDeployment, start } from '@service-mcp/core/host';
import { openModel2Vec, openOnnx, spaceIdOf } from '@service-mcp/plugin-search/internals';
import { site, temporaryFolder, type Site } from './harness.js';

const WORDS = ['[PAD]', '[UNK]', 'walrus', 'ice', 'harbor', 'ship', 'sl', '##eeps'];
/** Walrus and ice lie near each other, and so do harbor and ship. */
const TABLE = [
  [9, 9, 9],
  [9, 9, 9],
  [1, 0, 0],
  [0.9, 0.1, 0],
  [0, 1, 0],
  [0, 0.9, 0.1],
  [0, 0, 1],
  [0, 0, 3],
];

/** A safetensors file with one tensor a name. */
function safetensors(
  tensors: Readonly<Record<string, { dtype: string; shape: number[]; data: Buffer }>>,
): Buffer {
  let at = 0;
  const head: Record<string, object> = { __metadata__: { format: 'pt' } };
  for (const [name, { dtype, shape, data }] of Object.entries(tensors)) {
    head[name] = { dtype, shape, data_offsets: [at, at + data.length] };
    at += data.length;
  }
  const json = Buffer.from(JSON.stringify(head));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([size, json, ...Object.values(tensors).map(({ data }) => data)]);
}

const floats = (rows: readonly number[][]) => ({
  dtype: 'F32',
  shape: [rows.length, rows[0]?.length ?? 0],
  data: Buffer.from(Float32Array.from(rows.flat()).buffer),
});

async function writeModel(folder: string, table = floats(TABLE)): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'model.safetensors'), safetensors({ embeddings: table }));
  const vocab = Object.fromEntries(WORDS.map((word, id) => [word, id]));
  const tokenizer = {
    version: '1.0',
    added_tokens: [],
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  };
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  return folder;
}

const NO_PREFIX = { queryPrefix: '', passagePrefix: '' };
const passage = { purpose: 'passage' } as const;
const rounded = (vector: Float32Array | null | undefined) =>
  vector ? Array.from(vector, (value) => Number(value.toFixed(3))) : vector;

describe('models in folders', () => {
  let folder: { path: string; remove(): Promise<void> };
  beforeEach(async () => (folder = await temporaryFolder()));
  afterEach(() => folder.remove());

  it('model2vec: the mean of the vectors of the tokens, with length 1', async () => {
    const provider = await openModel2Vec(await writeModel(join(folder.path, 'tiny')), NO_PREFIX);
    const { vectors, tokens } = await provider.embed(
      ['Walrus', 'walrus harbor', 'sleeps', 'walrus zebra', 'zebra'],
      passage,
    );
    const [word, both, pieces, unknown, empty] = vectors;
    assert.equal(tokens, 8);
    assert.deepEqual(rounded(word), [1, 0, 0]);
    assert.deepEqual(rounded(both), [0.707, 0.707, 0]);
    assert.deepEqual(rounded(pieces), [0, 0, 1]);
    assert.deepEqual(rounded(unknown), [1, 0, 0], 'a word that it does not know has no part');
    assert.equal(empty, null);
  });

  it('model2vec: reads half precision, and a mapping with weights', async () => {
    const half = floats([[0, 0, 0]]);
    const data = Buffer.alloc(2 * 3 * 2);
    for (const [i, bits] of [0x3c00, 0, 0, 0, 0xc000, 0x3800].entries()) data.writeUInt16LE(bits, i * 2);
    const path = await writeModel(join(folder.path, 'half'), { ...half, dtype: 'F16', shape: [2, 3], data });
    const mapping = Buffer.from(BigInt64Array.from(WORDS.map((_, id) => BigInt(id % 2))).buffer);
    const weights = Buffer.from(Float32Array.from(WORDS.map((_, id) => (id === 3 ? 3 : 1))).buffer);
    await writeFile(
      join(path, 'model.safetensors'),
      safetensors({
        embeddings: { dtype: 'F16', shape: [2, 3], data },
        mapping: { dtype: 'I64', shape: [8], data: mapping },
        weights: { dtype: 'F32', shape: [8], data: weights },
      }),
    );
    const provider = await openModel2Vec(path, NO_PREFIX);
    const { vectors } = await provider.embed(['walrus', 'ice', 'walrus ice'], passage);
    const [even, odd, both] = vectors;
    assert.deepEqual(rounded(even), [1, 0, 0]);
    assert.deepEqual(rounded(odd), [0, -0.97, 0.243]);
    assert.deepEqual(
      rounded(both),
      rounded(Float32Array.from([1, -6, 1.5].map((x) => x / Math.hypot(1, 6, 1.5)))),
    );
  });

  it('model2vec: the identity of its space follows from weights and prefixes, not from its place', async () => {
    const [first, copy] = [join(folder.path, 'a', 'tiny'), join(folder.path, 'b', 'tiny')];
    const id = async (path: string, prefixes = NO_PREFIX) =>
      spaceIdOf(await (await openModel2Vec(path, prefixes)).describe());
    await writeModel(first);
    await writeModel(copy);
    assert.equal(await id(first), await id(copy));
    assert.notEqual(await id(first), await id(first, { ...NO_PREFIX, queryPrefix: 'query: ' }));
    await writeModel(copy, floats(TABLE.map((row) => row.map((value) => value + 0.5))));
    assert.notEqual(await id(first), await id(copy));
  });

  it('model2vec: refuses what is not such a model', async () => {
    const path = await writeModel(join(folder.path, 'bad'));
    const cut = safetensors({ embeddings: floats(TABLE) });
    for (const [file, message] of [
      [Buffer.from('x'), /not a safetensors file/],
      [cut.subarray(0, cut.length - 4), /cut off/],
      [safetensors({ other: floats(TABLE) }), /no table/],
      [safetensors({ embeddings: { ...floats(TABLE), dtype: 'U4' } }), /type U4/],
    ] as const) {
      await writeFile(join(path, 'model.safetensors'), file);
      await assert.rejects(openModel2Vec(path, NO_PREFIX), message);
    }
  });

  it('model2vec: answers the searches of a service', async () => {
    const path = await writeModel(join(folder.path, 'tiny'));
    const at: Site = await site({ config: { embedding_provider: 'model2vec', embedding_path: path } });
    try {
      await at.ingest({ 'a.md': 'The walrus sleeps.\n', 'b.md': 'A ship.\n' });
      await at.settled();
      const { results } = await at.search('semantic', { query: 'harbor' });
      assert.equal(results[0]?.path, 'b.md');
      assert.ok(Math.abs((results[0]?.score ?? 0) - 0.993884) < 1e-4, 'vectors are 16-bit floats');
    } finally {
      await at.stop();
    }
  });

  const TRANSFORMERS = `
    export const env = { allowRemoteModels: true, localModelPath: '' };
    export async function pipeline(task, model, options) {
      if (env.allowRemoteModels || task !== 'feature-extraction' || !options.local_files_only) throw new Error('wrong');
      return async (texts, { pooling, normalize }) => {
        if (pooling !== 'cls' || !normalize) throw new Error('wrong');
        return { dims: [texts.length, 4], data: Float32Array.from(texts.flatMap((text) => [text.length, 1, 2, 3])) };
      };
    }
    export default undefined;`;

  /** A package beside a deployment file. */
  async function install(name: string, source: string): Promise<void> {
    const path = join(folder.path, 'node_modules', name);
    await mkdir(path, { recursive: true });
    await writeFile(
      join(path, 'package.json'),
      JSON.stringify({ name, type: 'module', exports: './index.js' }),
    );
    await writeFile(join(path, 'index.js'), source);
  }

  async function deploy(search: object): Promise<string> {
    const file = join(folder.path, 'deployment.json');
    const plugins = ['syntax', 'workspaces', 'search'].map((name) => `@service-mcp/plugin-${name}`);
    await writeFile(file, JSON.stringify({ plugins, transports: [], search }));
    return file;
  }

  const own = createRequire(import.meta.url).resolve('@service-mcp/plugin-search');
  const boot = async (search: object) => {
    const file = await deploy(search);
    const dataDir = join(folder.path, 'data');
    const options = { file, env: { SERVICE_LOG_LEVEL: 'silent' }, overrides: { dataDir }, resolveFrom: own };
    return start(await loadDeployment(options), { listen: false, workers: false });
  };
  const onnx = { embedding_provider: 'onnx', embedding_path: '', embedding_pooling: 'cls' };

  it('onnx: through the package that is installed beside the deployment file', async () => {
    await install('@huggingface/transformers', TRANSFORMERS);
    const embedding_path = join(folder.path, 'models', 'small');
    await mkdir(join(embedding_path, 'onnx'), { recursive: true });
    await writeFile(join(embedding_path, 'onnx', 'model.onnx'), 'weights');
    const host = await boot({ ...onnx, embedding_path });
    const health = (await host.health()).find(({ name }) => name === 'embeddings');
    await host.stop();
    assert.deepEqual(health, { name: 'embeddings', status: 'ok', message: 'onnx/small, 4 dimensions' });

    const packagesFrom = [join(folder.path, 'deployment.json')];
    const provider = await openOnnx(embedding_path, { ...NO_PREFIX, pooling: 'cls', packagesFrom });
    const { vectors } = await provider.embed(['four'], passage);
    const [vector] = vectors;
    assert.deepEqual(
      rounded(vector),
      rounded(Float32Array.from([4, 1, 2, 3].map((x) => x / Math.hypot(4, 1, 2, 3)))),
    );
    const { digest } = await provider.describe();
    await writeFile(join(embedding_path, 'onnx', 'model.onnx'), 'other weights');
    const other = await openOnnx(embedding_path, { ...NO_PREFIX, pooling: 'cls', packagesFrom });
    assert.notEqual((await other.describe()).digest, digest);
  });

  it('onnx: says what to install, also beside the empty package that LanceDB gets', async () => {
    await assert.rejects(
      boot({ ...onnx, embedding_path: folder.path }),
      /npm install @huggingface\/transformers/,
    );
    await install('@huggingface/transformers', 'export default {};');
    await assert.rejects(
      boot({ ...onnx, embedding_path: folder.path }),
      /npm install @huggingface\/transformers/,
    );
  });

  it('a setting that is missing stops the start with a remedy', async () => {
    const place = dirname(folder.path);
    await assert.rejects(boot({ embedding_provider: 'openai' }), /embedding_url is not set/);
    await assert.rejects(
      boot({ embedding_provider: 'openai', embedding_url: 'http://127.0.0.1:9/v1' }),
      /embedding_model is not set/,
    );
    await assert.rejects(boot({ embedding_provider: 'model2vec' }), /embedding_path is not set/);
    await assert.rejects(
      boot({ embedding_provider: 'model2vec', embedding_path: join(place, 'not-there') }),
      /embedding_path .*not-there is not a model2vec folder: ENOENT/,
    );
  });
});
