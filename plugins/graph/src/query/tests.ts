import { isTestFile } from '@service-mcp/plugin-syntax/contract';
import { perGraph } from './per-graph.js';
import type { ProjectGraph } from './project-graph.js';

/** A class that unittest runs in any file. pytest looks for names in files of tests alone: `Flask.test_client` is not a test. */
const TEST_CASE = /\bclass\b.*TestCase\b/;

/** True for a test, or a symbol in a file of tests. */
export function isTest(graph: ProjectGraph, node: number): boolean {
  if (testFiles(graph)[graph.partOf[node]!] === 1) return true;
  const { test, signature } = graph.symbol(node);
  if (!test || graph.part(node).language !== 'python') return test;
  const parent = graph.parents[node]!;
  return TEST_CASE.test(signature) || (parent >= 0 && TEST_CASE.test(graph.symbol(parent).signature));
}

/** 1 for each part of a graph that is a file of tests. */
const testFiles = perGraph(({ parts }) => Uint8Array.from(parts, ({ path }) => Number(isTestFile(path))));
