import assert from 'node:assert/strict';
import type { FileGraph } from '@service-mcp/plugin-graph/internals';
import { edgesOf, expectedEdges, readFixtures, resolveFixture, type Fixture } from './fixtures.js';

/** Of all edges but references; of these, those that a fixture names. */
interface Score {
  readonly expected: number;
  readonly found: number;
  readonly correct: number;
  /** `- ` for edges that are missing, `+ ` for edges that should not be there. */
  readonly differences: readonly string[];
}

/**
 * Declares the tests of a folder whose fixtures name what a reader finds, also where the resolver does not: it reaches
 * the shares of the contract, and counts every call that it cannot tell. References and unresolved calls are samples.
 */
export function describeScores(
  folder: string,
  least: { readonly edges: number; readonly precision: number; readonly recall: number },
): void {
  const fixtures = [...readFixtures(folder).values()].flat();
  const graphs = new Map<Fixture, readonly FileGraph[]>();
  before(async () => {
    for (const fixture of fixtures) graphs.set(fixture, await resolveFixture(fixture));
  });
  const graphsOf = (fixture: Fixture) => graphs.get(fixture) ?? [];

  it('finds the edges that a reader finds', () => {
    const scores = fixtures.map((each) => score(each, graphsOf(each)));
    const sum = (of: (each: Score) => number): number => scores.reduce((total, each) => total + of(each), 0);
    const [expected, found, correct] = [
      sum((each) => each.expected),
      sum((each) => each.found),
      sum((each) => each.correct),
    ];
    const differences = scores.flatMap((each) => each.differences).join('\n');
    assert.ok(expected >= least.edges, `${expected} edges are expected`);
    assert.ok(correct / found >= least.precision, `precision ${correct / found}\n${differences}`);
    assert.ok(correct / expected >= least.recall, `recall ${correct / expected}\n${differences}`);
  });

  it('counts the calls that it cannot tell', () => {
    for (const fixture of fixtures) {
      const resolved = graphsOf(fixture);
      const counted = new Set(edgesOf(resolved, 'unresolved'));
      const named = expectedEdges(resolved, 'unresolved', fixture.expected.get('unresolved') ?? []);
      assert.deepEqual(
        named.filter((each) => !counted.has(each)),
        [],
        fixture.name,
      );
    }
  });
}

function score({ name, expected }: Fixture, graphs: readonly FileGraph[]): Score {
  const wanted = new Set<string>();
  const actual = new Set<string>();
  for (const kind of ['calls', 'imports', 'extends', 'implements', 'references'] as const) {
    const named = new Set(expectedEdges(graphs, kind, expected.get(kind) ?? []));
    const found = edgesOf(graphs, kind).filter((edge) => kind !== 'references' || named.has(edge));
    for (const edge of named) wanted.add(`${kind} ${edge}`);
    for (const edge of found) actual.add(`${kind} ${edge}`);
  }
  const missing = [...wanted].filter((edge) => !actual.has(edge));
  const extra = [...actual].filter((edge) => !wanted.has(edge));
  return {
    expected: wanted.size,
    found: actual.size,
    correct: actual.size - extra.length,
    differences: [
      ...missing.map((edge) => `- ${name}: ${edge}`),
      ...extra.map((edge) => `+ ${name}: ${edge}`),
    ],
  };
}
