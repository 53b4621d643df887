import { perGraph } from './per-graph.js';
import type { ProjectGraph } from './project-graph.js';

/** A file of tests by the conventions of the twelve languages: its name, or a directory of tests. */
const TEST_FILE =
  /(?:^|\/)(?:tests?|__tests__|specs?)\/|(?:[._-](?:test|spec)|(?:Tests?|Spec|IT))\.[^./]+$|(?:^|\/)(?:test_[^/]*|conftest)\.py$/;

/** True for a test, or a symbol in a file of tests. */
export function isTest(graph: ProjectGraph, node: number): boolean {
  return testFiles(graph)[graph.partOf[node]!] === 1 || graph.symbol(node).test;
}

export function isTestFile(path: string): boolean {
  return TEST_FILE.test(path);
}

/** 1 for each part of a graph that is a file of tests. */
const testFiles = perGraph(({ parts }) => Uint8Array.from(parts, ({ path }) => Number(isTestFile(path))));
