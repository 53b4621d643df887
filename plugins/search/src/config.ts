import { defineConfig } from '@service-mcp/core';
import { Type, type Static } from 'typebox';

const whole = (description: string, initial: number, minimum: number, maximum: number) =>
  Type.Integer({ description, default: initial, minimum, maximum });

const schema = Type.Object(
  {
    uri: Type.Optional(
      Type.String({
        description:
          'Where LanceDB keeps the indexes: a folder or an object-store URI. Default: lancedb in the data folder.',
        minLength: 1,
        maxLength: 2000,
        'x-env': 'LANCEDB_URI',
      }),
    ),
    moved: Type.Boolean({
      description:
        'Take the folder of this process for that of the indexes, though the database names another: after they were moved or lost.',
      default: false,
      'x-env': 'LANCEDB_MOVED',
    }),
    batch_documents: whole('Documents indexed in one round.', 128, 1, 1000),
    batch_bytes: whole('Bytes of text claimed for one round.', 8 * 1024 * 1024, 1024, 256 * 1024 * 1024),
    indexing_threads: Type.Optional(
      Type.Integer({
        description:
          'Threads that prepare documents for the index, up to 100 MiB each while they work. Default: one for each processor but one, at least 1 and at most 4.',
        minimum: 1,
        maximum: 64,
      }),
    ),
    query_timeout_ms: whole('Longest time of one look into the index.', 5000, 100, 60000),
    pattern_timeout_ms: whole(
      'Longest time of one regular-expression search; what was found by then is the answer.',
      3000,
      100,
      60000,
    ),
    waiting_per_user: whole(
      'Searches of one user that may wait for their turn; more are refused as RATE_LIMITED.',
      64,
      1,
      10000,
    ),
    optimize_after_ms: whole(
      'Quiet time after which written rows are compacted and indexed.',
      3000,
      100,
      3600000,
    ),
    training: Type.Boolean({
      description: 'Train an embedder on each workspace. Off: the untrained space stays in use.',
      default: true,
    }),
    training_min_chunks: whole('Chunks a workspace needs before its embedder is trained.', 50, 20, 1000000),
    training_max_chunks: whole(
      'Most chunks of a workspace read for training; more are sampled. Bounds its memory.',
      20000,
      100,
      200000,
    ),
    training_max_terms: whole(
      'Most terms an embedder knows. Bounds its size (about 170 bytes a term) and memory.',
      16000,
      500,
      60000,
    ),
    embedding_provider: Type.Enum(['embedded', 'openai', 'model2vec', 'onnx'], {
      description:
        'What embeds texts: the embedder trained here (embedded), an OpenAI-compatible service (openai), or a model folder on disk (model2vec, onnx). A change embeds everything again, while the old vectors serve.',
      default: 'embedded',
      'x-env': 'SERVICE_EMBEDDING_PROVIDER',
    }),
    embedding_url: Type.Optional(
      Type.String({
        description: 'openai: address of the service up to /v1. Texts of all workspaces are sent there.',
        pattern: '^https?://',
        maxLength: 2000,
        'x-env': 'SERVICE_EMBEDDING_URL',
      }),
    ),
    embedding_key: Type.Optional(
      Type.String({
        description: 'openai: key of the service, sent as a bearer token to embedding_url alone',
        minLength: 1,
        'x-env': 'SERVICE_EMBEDDING_KEY',
        'x-secret': true,
      }),
    ),
    embedding_model: Type.Optional(
      Type.String({
        description: 'Name of the model. openai: as the service knows it. Default: name of the folder.',
        minLength: 1,
        maxLength: 200,
        'x-env': 'SERVICE_EMBEDDING_MODEL',
      }),
    ),
    embedding_path: Type.Optional(
      Type.String({
        description: 'model2vec and onnx: folder of the model',
        minLength: 1,
        maxLength: 2000,
        'x-env': 'SERVICE_EMBEDDING_PATH',
      }),
    ),
    embedding_dimensions: Type.Optional(
      Type.Integer({
        description: 'openai: dimensions to ask for, where the model can shorten its vectors',
        minimum: 8,
        maximum: 16384,
      }),
    ),
    embedding_query_prefix: Type.String({
      description: 'Put before queries, as the model wants it: "query: "',
      default: '',
      maxLength: 1000,
    }),
    embedding_passage_prefix: Type.String({
      description: 'Put before passages: "passage: "',
      default: '',
      maxLength: 1000,
    }),
    embedding_pooling: Type.Enum(['mean', 'cls'], {
      description: 'onnx: how the vectors of tokens become one',
      default: 'mean',
    }),
    embedding_batch: whole(
      'openai: texts in one request; halved when the service finds it too large.',
      32,
      1,
      2048,
    ),
    embedding_timeout_ms: whole(
      'openai: longest time of one request; of a query at most 5 s.',
      30000,
      100,
      600000,
    ),
    embedding_retry_ms: whole('openai: how long a service that failed is left alone.', 10000, 100, 3600000),
    embedding_share: Type.Number({
      description:
        'Weight of the meaning beside keywords in hybrid search, with a provider other than embedded.',
      default: 0.5,
      minimum: 0,
      maximum: 1,
    }),
  },
  { additionalProperties: false },
);
export type SearchConfig = Static<typeof schema>;

export const searchConfig = defineConfig('search', schema);
