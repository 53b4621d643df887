/** For the tests of this package only. */
export { resultText } from './result-text.js';
export { analyse, analyseQuery, eachTerm } from './services/analysis/analyse.js';
export { chunk, CHUNK_SIZES } from './services/chunking/chunk.js';
export { hashedEmbedding } from './services/embedding/hashed-embedder.js';
export { pack, TermEmbedder, unpack } from './services/embedding/term-model.js';
export { train } from './services/embedding/training/train.js';
export { literal, rowFilter } from './services/index/filter.js';
export { globToRegExp } from './services/index/glob.js';
export { IndexTables, type DocumentRows } from './services/index/index-tables.js';
export { createMaintenance } from './services/index/maintenance.js';
export { fuse } from './services/query/fusion.js';
export { Matcher } from './services/query/matcher.js';
export { matchesIn } from './services/query/matches.js';
export { retrieveByMeaning } from './services/query/retrievers.js';
export { compilePattern } from './services/query/regex.js';
