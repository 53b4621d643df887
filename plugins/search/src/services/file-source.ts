import type { FileChanges, FileState } from '@service-mcp/plugin-workspaces/contract';
import type { DocumentState, IndexSource } from '../contract.js';

/** The name under which `file_work` keeps what search has still to do. */
export const FILE_CONSUMER = 'search';

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
    states: async (ids) => eachState(await changes.states(ids)),
    statesIn: async (workspaceId) => eachState(await changes.statesIn(workspaceId)),
    texts: (ids) => changes.texts(ids),
    newest: (workspaceId, limit) => changes.newest(workspaceId, limit),
    indexedTotal: (workspaceId) => changes.indexedTotal(workspaceId),
    requeue: (workspaceId, ids) => changes.requeue(workspaceId, ids),
  };
}

/** A file as a document. */
function toDocument<File extends Omit<FileState, 'chunks'>>(file: File): File & DocumentState {
  return { ...file, kind: kindOf(file), title: '', tags: [] };
}

function kindOf({ language, path }: Pick<FileState, 'language' | 'path'>): string {
  return (language === null ? PROSE_PATH.test(path) : PROSE.has(language)) ? 'doc' : 'code';
}

function eachState(files: ReadonlyMap<string, FileState>): ReadonlyMap<string, DocumentState> {
  const states = new Map<string, DocumentState>();
  for (const [id, file] of files) {
    const { projectId, path, language, sha256, updatedAt, chunks } = file;
    states.set(id, {
      projectId,
      kind: kindOf(file),
      path,
      language,
      title: '',
      tags: NO_TAGS,
      updatedAt,
      sha256,
      chunks,
    });
  }
  return states;
}

const NO_TAGS: readonly string[] = [];
