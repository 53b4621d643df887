import { lancedb } from './lance.js';

const btree = () => lancedb().Index.btree();
const bitmap = () => lancedb().Index.bitmap();
/** Terms come analysed: the index only splits at blanks. */
const termIndex = () =>
  lancedb().Index.fts({
    baseTokenizer: 'whitespace',
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    withPosition: false,
    maxTokenLength: 200,
  });

const filterIndexes = { kind: bitmap, lang: bitmap, path: btree };
/** Column to index of each table; made with the table, while it is empty. A made `Index` serves once only. */
export const INDEXES = {
  documents: { id: btree, ...filterIndexes },
  chunks: { id: btree, doc_id: btree, ...filterIndexes, terms: termIndex, stops: termIndex },
  vectors: { id: btree, doc_id: btree, kind: bitmap, space_id: bitmap },
  marker: {},
} as const;
