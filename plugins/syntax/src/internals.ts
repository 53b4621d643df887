/** For the tests of this package only. */
export { EMBEDDED } from './embedded/index.js';
export { createCursorReader } from './worker/code/cursor-reader.js';
export { MAX_DEPTH } from './worker/code/node-types.js';
export { languageOf } from './languages/detect.js';
export { grammar } from './worker/grammars.js';
export { ParseBudget } from './worker/parse-budget.js';
export { parsePreprocessed } from './worker/preprocessor/parse-preprocessed.js';
export { tokenRunsOf } from './worker/preprocessor/token-runs.js';
