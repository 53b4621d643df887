/** For the tests and benches of this repository only. */
export type { Candidate, Section } from './packing/candidate.js';
export { FORMATS, type FormatName } from './packing/formats.js';
export { pack } from './packing/pack.js';
export { mentionsOf } from './planning/requirements.js';
export { openTokenizer } from './packing/tokenizer.js';
export { TokenSpend } from './services/token-spend.js';
