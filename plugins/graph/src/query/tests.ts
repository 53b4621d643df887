import { isTestFile } from '@service-mcp/plugin-syntax/contract';
import { perGraph } from './per-graph.js';
import type { ProjectGraph } from './project-graph.js';

/** True for a test, or a symbol in a file of tests. */
export function isTest(graph: ProjectGraph, node: number): boolean {
  return testFiles(graph)[graph.partOf[node]!] === 1 || graph.symbol(node).test;
}

/** 1 for each part of a graph that is a file of tests. */
const testFiles = perGraph(({ parts }) => Uint8Array.from(parts, ({ path }) => Number(isTestFile(path))));
