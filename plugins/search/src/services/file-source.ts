import type { FileQueue, QueuedFile } from '@service-mcp/plugin-workspaces/contract';
import type { IndexDocument, IndexSource } from '../contract.js';

/** Languages that people write for people. */
const PROSE = new Set([
  'markdown',
  'rst',
  'restructuredtext',
  'asciidoc',
  'text',
  'plaintext',
  'html',
  'xhtml',
  'latex',
  'tex',
  'org',
  'mdx',
]);
/** Files of these names are prose whatever their language, and so are those without one of these endings. */
const PROSE_PATH =
  /\.(?:md|mdx|markdown|rst|txt|adoc|html?|tex|org)$|(?:^|\/)(?:readme|license|licence|changelog|notice|authors|contributing)[^/.]*$/iu;

/** The files of the workspaces plugin, as documents. */
export function fileSource(queue: FileQueue): IndexSource {
  return {
    name: 'files',
    kinds: ['code', 'doc'],
    claim: async (limit, maxBytes) => (await queue.claim(limit, maxBytes)).map(toDocument),
    settle: (outcomes) => queue.settle(outcomes),
    states: (ids) => queue.states(ids),
    indexedTotal: () => queue.indexedTotal(),
    requeueAll: () => queue.requeueAll(),
  };
}

function toDocument(file: QueuedFile): IndexDocument {
  const prose = file.language === null ? PROSE_PATH.test(file.path) : PROSE.has(file.language);
  return { ...file, kind: prose ? 'doc' : 'code', title: '', tags: [] };
}
