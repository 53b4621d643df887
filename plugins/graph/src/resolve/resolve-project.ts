import type { FileGraph, Manifest, SourceFile } from '../model.js';
import { compileFile } from './compile/compile-file.js';
import { emitGraphs } from './emit/emit-graphs.js';
import type { FileFrame } from './emit/graph-builder.js';
import { createEngine } from './engine/create-engine.js';
import { Project } from './engine/project.js';
import type { Unit } from './program.js';

/**
 * Finds what the names, calls and types of all files of a project refer to: one graph for each file, ordered by path.
 * A function of the set of files alone: their order does not matter. Files are read one by one; their code can be
 * collected afterwards.
 */
export function resolveProject(files: Iterable<SourceFile>, manifests: readonly Manifest[]): FileGraph[] {
  return [...resolveFiles(files, manifests)];
}

/** As {@link resolveProject}, graph by graph: those that were read can be collected. */
export function* resolveFiles(
  files: Iterable<SourceFile>,
  manifests: readonly Manifest[],
): Generator<FileGraph> {
  const units: Unit[] = [];
  const frames = new Map<string, FileFrame>();
  for (const file of files) {
    const unit = compileFile(file);
    units.push(unit);
    const { path, language, symbols, complete, code } = file;
    const { note } = unit;
    frames.set(path, { path, language, symbols, complete, note, definitions: code?.definitions ?? [] });
  }
  yield* emitGraphs(createEngine(new Project(units, manifests)), frames);
}
