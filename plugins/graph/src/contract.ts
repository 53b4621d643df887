export type { EdgeKind, Reason } from './model.js';
