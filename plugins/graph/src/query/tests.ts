import { perGraph } from './per-graph.js';
import type { ProjectGraph } from './project-graph.js';

/** A file of tests by the conventions of the twelve languages: its name, or a directory of tests. */
const TEST_FILE = new RegExp(
  [
    '(?:^|/)(?:tests?|__tests__|specs?)/',
    // `a.test.ts`, `a_test.go`, `ATest.java`, `ServerIT.java` but not `COMMIT.c`
    '(?:[._-](?:test|spec)|Tests?|Spec|[a-z0-9]IT)\\.[^./]+$',
    '(?:^|/)tests?\\.(?:py|rb|rs|php|[cm]?[jt]sx?)$',
    '(?:^|/)(?:test_[^/]*|conftest)\\.py$',
    '(?:^|/)test[_-][^/]*\\.(?:rb|c|cc|cpp|cxx|[cm]?js)$',
  ].join('|'),
);

/** True for a test, or a symbol in a file of tests. */
export function isTest(graph: ProjectGraph, node: number): boolean {
  return testFiles(graph)[graph.partOf[node]!] === 1 || graph.symbol(node).test;
}

export function isTestFile(path: string): boolean {
  return TEST_FILE.test(path);
}

/** 1 for each part of a graph that is a file of tests. */
const testFiles = perGraph(({ parts }) => Uint8Array.from(parts, ({ path }) => Number(isTestFile(path))));
