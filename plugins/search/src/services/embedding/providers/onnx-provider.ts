import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { normalise } from '../term-model.js';
import { ProviderFailure } from '../../models/provider-failure.js';
import { spaceIdOf, type Provider, type ProviderDescription } from './provider.js';

const PACKAGE = '@huggingface/transformers';
/** Texts run through the model together. */
const BATCH = 16;

/** The parts of the package that are used. It is never a dependency: its runtime downloads when it is installed. */
interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Extractor>;
}
type Extractor = (
  texts: readonly string[],
  options: { readonly pooling: string; readonly normalize: boolean },
) => Promise<{ readonly dims: readonly number[]; readonly data: ArrayLike<number> }>;

/**
 * Embeds by a folder with an ONNX model and its tokenizer, through `@huggingface/transformers`, which the operator installs:
 * `packagesFrom` are files beside which it is looked up. Nothing is downloaded. Throws with a remedy where the package is not
 * there.
 */
export async function openOnnx(
  folder: string,
  {
    packagesFrom,
    pooling,
    queryPrefix,
    passagePrefix,
  }: Pick<ProviderDescription, 'pooling' | 'queryPrefix' | 'passagePrefix'> & {
    readonly packagesFrom: readonly string[];
  },
): Promise<Provider> {
  const transformers = await importTransformers(packagesFrom);
  const path = resolve(folder);
  transformers.env.allowRemoteModels = false;
  transformers.env.localModelPath = `${dirname(path)}/`;
  const extract = await transformers.pipeline('feature-extraction', basename(path), {
    local_files_only: true,
  });
  const digest = createHash('sha256');
  await addFolder(path, digest);

  async function embed(texts: readonly string[]): Promise<(Float32Array | null)[]> {
    const { dims, data } = await extract(texts, { pooling, normalize: true });
    const width = dims.at(-1) ?? 0;
    if (width === 0 || data.length !== texts.length * width)
      throw new ProviderFailure('the model gave another number of vectors than texts');
    return texts.map((_, i) =>
      normalise(Float32Array.from({ length: width }, (__, k) => data[i * width + k]!)),
    );
  }

  const [probe] = await embed(['dimensions']);
  const description: ProviderDescription = {
    provider: 'onnx',
    model: basename(path),
    place: folder,
    digest: digest.digest('hex'),
    dimensions: probe?.length ?? 0,
    asksDimensions: false,
    queryPrefix,
    passagePrefix,
    pooling,
  };
  return {
    makes: (other) => spaceIdOf(other) === spaceIdOf(description),
    describe: () => Promise.resolve(description),
    async embed(texts, { signal }) {
      const vectors: (Float32Array | null)[] = [];
      for (let at = 0; at < texts.length; at += BATCH) {
        signal?.throwIfAborted();
        vectors.push(...(await embed(texts.slice(at, at + BATCH))));
      }
      return { vectors, tokens: undefined }; // the package counts them inside
    },
  };
}

/** LanceDB's own copy of the package may be an empty one: only a package with a pipeline counts. */
async function importTransformers(packagesFrom: readonly string[]): Promise<Transformers> {
  for (const place of packagesFrom) {
    let entry: string;
    try {
      entry = createRequire(place).resolve(PACKAGE);
    } catch {
      continue; // look in the next place
    }
    const module = (await import(pathToFileURL(entry).href)) as Partial<Transformers> & {
      default?: Partial<Transformers>;
    };
    const found = module.pipeline ? module : module.default;
    if (typeof found?.pipeline === 'function') return found as Transformers;
  }
  throw new Error(
    `the package ${PACKAGE} is not installed: run npm install ${PACKAGE} beside the deployment file, or choose another embedding_provider`,
  );
}

/** Adds the files of a folder, in order of name. */
async function addFolder(folder: string, hash: Hash): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    hash.update(`${entry.name}\n`);
    if (entry.isDirectory()) await addFolder(path, hash);
    else if (entry.isFile()) for await (const part of createReadStream(path)) hash.update(part as Buffer);
  }
}
