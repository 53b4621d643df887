/** For the tests and benches of this repository only. */
export type * from './model.js';
