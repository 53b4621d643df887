import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isManifest, readPart, resolveProject, type FileGraph } from '@service-mcp/plugin-graph/internals';
import { sourceFile } from './source-file.js';
import type { GraphService, TestProject } from './store-service.js';

export type Texts = Readonly<Record<string, readonly string[]>>;

type Edit =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'delete'; readonly path: string };

/** Sequences of groups of edits; each group is one change of the project. `texts`: versions of each file, by path. */
export function randomEdits(texts: Texts): fc.Arbitrary<Edit[][]> {
  const paths = Object.keys(texts);
  const path = fc.constantFrom(...paths);
  const write = fc.constantFrom(
    ...paths.flatMap((each) =>
      (texts[each] ?? []).map((text): Edit => ({ kind: 'write', path: each, text })),
    ),
  );
  const edit = fc.oneof(
    { weight: 6, arbitrary: write },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), from: path, to: path }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), path }) },
  );
  return fc.array(fc.array(edit, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });
}

/** Applies edits to a project while it is indexed, waits once, and compares its graph with that of a full build. */
export async function checkEdits(service: GraphService, groups: readonly (readonly Edit[])[]): Promise<void> {
  const project = await service.createProject();
  const files = new Map<string, string>();
  for (const [index, group] of groups.entries()) {
    for (const edit of group) await apply(edit, files, project);
    if (index % 2 === 0) await project.settled();
  }
  await project.settled();
  const manifests = [...files].flatMap(([path, text]) => (isManifest(path) ? [{ path, text }] : []));
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  const parsed = await Promise.all(sorted.map(([path, text]) => sourceFile(path, text)));
  const sources = parsed.map((file) => (file.code ? file : { ...file, symbols: [] })); // sections of documents
  const expected = resolveProject(
    sources,
    manifests.sort((a, b) => (a.path < b.path ? -1 : 1)),
  );
  const stored = await partsOf(service, project);
  assert.deepEqual(stored, byPath(JSON.parse(JSON.stringify(expected)) as FileGraph[]));
  const graph = await project.graph();
  assert.deepEqual(
    graph.parts.map(({ path }) => path),
    stored.map(({ path }) => path),
  );
}

async function apply(edit: Edit, files: Map<string, string>, project: TestProject): Promise<void> {
  if (edit.kind === 'write') {
    files.set(edit.path, edit.text);
    await project.ingest({ [edit.path]: edit.text });
    return;
  }
  const from = edit.kind === 'rename' ? edit.from : edit.path;
  const text = files.get(from);
  if (text === undefined || (edit.kind === 'rename' && edit.to === from)) return;
  files.delete(from);
  await project.remove(from);
  if (edit.kind === 'rename') {
    files.set(edit.to, text);
    await project.ingest({ [edit.to]: text });
  }
}

async function partsOf({ host }: GraphService, { projectId }: TestProject): Promise<FileGraph[]> {
  const rows: Array<{ part: Buffer | ArrayBuffer }> = await host.database
    .sql('graph_files')
    .where({ project_id: projectId });
  return byPath(rows.map(({ part }) => readPart(part)));
}

function byPath(graphs: readonly FileGraph[]): FileGraph[] {
  return [...graphs].sort((a, b) => (a.path < b.path ? -1 : 1));
}
