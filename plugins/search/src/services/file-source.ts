import type { FileChanges, QueuedFile } from '@service-mcp/plugin-workspaces/contract';
import type { IndexDocument, IndexSource } from '../contract.js';

/** Languages of prose. */
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
export function fileSource(changes: FileChanges): IndexSource {
  return {
    name: 'files',
    kinds: ['code', 'doc'],
    waitingWorkspaces: (which) => changes.waitingWorkspaces(which),
    claim: async (limits) => (await changes.claim(limits)).map(toDocument),
    settle: (outcomes) => changes.settle(outcomes),
    states: (ids) => changes.states(ids),
    indexedTotal: (workspaceId) => changes.indexedTotal(workspaceId),
    requeue: (workspaceId, ids) => changes.requeue(workspaceId, ids),
  };
}

function toDocument(file: QueuedFile): IndexDocument {
  const prose = file.language === null ? PROSE_PATH.test(file.path) : PROSE.has(file.language);
  return { ...file, kind: prose ? 'doc' : 'code', title: '', tags: [] };
}
