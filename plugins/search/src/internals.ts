/** For the tests of this package only. */
export { resultText } from './result-text.js';
export { analyse, analyseQuery, countTerms, eachTerm } from './services/analysis/analyse.js';
export { eachWord } from './services/analysis/each-word.js';
export { withoutEncoded } from './services/analysis/encoded.js';
export { Spaces, type SpacesParts } from './services/embedding/spaces.js';
export { readable } from './services/analysis/readable.js';
export { chunk, CHUNK_SIZES } from './services/chunking/chunk.js';
export { hashedEmbedding } from './services/embedding/hashed-embedder.js';
export { findVectors } from './services/embedding/embed-documents.js';
export { buildBatch, type BuildParts } from './services/embedding/build-space.js';
export { openModel2Vec } from './services/embedding/providers/model2vec-provider.js';
export { openAiProvider, type OpenAiSettings } from './services/embedding/providers/openai-provider.js';
export { embedderOf } from './services/embedding/providers/provided-embedder.js';
export { openOnnx } from './services/embedding/providers/onnx-provider.js';
export { spaceIdOf, type Provider } from './services/embedding/providers/provider.js';
export { pack, TermEmbedder, unpack } from './services/embedding/term-model.js';
export { findDocComment } from './services/embedding/training/doc-comment.js';
export { makePairs, passageOf, type Sample } from './services/embedding/training/pairs.js';
export { bagOf } from './services/embedding/training/term-bag.js';
export { train } from './services/embedding/training/train.js';
export { RowGradients } from './services/embedding/training/row-gradients.js';
export { literal, rowFilter } from './services/index/filter.js';
export { globToRegExp } from './services/index/glob.js';
export { createGenerations } from './services/index/generations.js';
export { createIndexCheck } from './services/index/health.js';
export { indexStats } from './services/index/index-stats.js';
export { createIndexHome } from './services/index/index-home.js';
export { isRefusedExpression } from './services/index/lance.js';
export { toArrow, vectorsToArrow } from './services/index/arrow-batch.js';
export { halfBits } from './services/index/half.js';
export { packPlace, unpackPlace } from './services/index/place.js';
export { caches, connect } from './services/index/connect.js';
export { IndexTables, type IndexBatch } from './services/index/index-tables.js';
export { rowsById } from './services/index/rows-by-id.js';
export {
  chunksSchema,
  documentsSchema,
  type ChunkRow,
  type DocumentRow,
  type VectorRow,
} from './services/index/tables.js';
export { maintain } from './services/index/maintenance.js';
export { indexVectors } from './services/index/vector-index.js';
export { withDocumentMeans } from './services/query/document-means.js';
export { exactForms, exactness, isDefinition } from './services/query/exact-forms.js';
export { countFacets } from './services/query/facets.js';
export { Indexer, type IndexerParts } from './services/indexer.js';
export { prepare, type Prepared, type PrepareParts } from './services/prepare.js';
export { prepareAhead } from './services/prepare-ahead.js';
export { BatchSize } from './services/batch-size.js';
export { GatheredWrites } from './services/gathered-writes.js';
export { PreparationThreads } from './services/preparation/preparation-threads.js';
export {
  prepareDocuments,
  type MissingModels,
  type PrepareTask,
} from './services/preparation/prepare-documents.js';
export { fuse, fuseInPools, nearness } from './services/query/fusion.js';
export { KnownRows, RowCache } from './services/query/known-rows.js';
export { Matcher } from './services/query/matcher.js';
export { matchesIn } from './services/query/matches.js';
export { retrieveByMeaning } from './services/query/retrievers.js';
export { TextCache } from './services/query/text-cache.js';
export { regionsOf } from './services/query/regions.js';
export { compilePattern } from './services/query/regex.js';
export { editDistance } from './services/query/similar-terms.js';
export { FOLD } from './services/trigrams/fold.js';
export { candidatesOf, trigramPlan } from './services/trigrams/plan.js';
export { segmentsToMerge } from './services/trigrams/merge.js';
export { addTrigrams, eachHash, eachOrdinal, encodeRows, Pairs, rowOf } from './services/trigrams/segment.js';
export { createSegmentStore } from './services/trigrams/segment-store.js';
export { TrigramIndex } from './services/trigrams/trigram-index.js';
export { writeBatch } from './services/write-batch.js';
