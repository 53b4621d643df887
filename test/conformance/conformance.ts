import { testHost } from '@service-mcp/core/testing';
import mcp from '@service-mcp/transport-mcp';
import { conformance } from './plugin/index.js';
import { installSuite, type Outcome, type Scenario } from './suite.js';

/** The revisions of MCP that both eras stand for. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

/** Runs the suite of each revision against the transport, over HTTP, on a host with the plugin that the suite calls. */
export async function runConformance(told: (line: string) => void): Promise<readonly Outcome[]> {
  told('installing the suite …');
  const suite = await installSuite();
  const outcomes: Outcome[] = [];
  try {
    for (const revision of REVISIONS) {
      told(`running ${revision} …`);
      const host = await testHost({ plugins: [conformance], transports: [mcp] });
      try {
        outcomes.push(await suite.run(`${host.url}/mcp`, revision));
      } finally {
        await host.stop();
      }
    }
  } finally {
    await suite.remove();
  }
  return outcomes;
}

/** The failures and warnings of a scenario. */
export function faultsOf({ checks }: Scenario): readonly string[] {
  if (checks.length === 0) return ['it checked nothing'];
  return checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ id, status, errorMessage }) => `${status} ${id}: ${errorMessage ?? 'no reason given'}`);
}

/** Required scenarios that did not pass; empty when the service conforms to the revision. */
export function shortcomingsOf({ scenarios, missing, exitCode, printed }: Outcome): readonly string[] {
  const faults = scenarios
    .filter(({ required }) => required)
    .flatMap((scenario) => faultsOf(scenario).map((fault) => `${scenario.name}: ${fault}`));
  const short = [...missing.map((name) => `${name}: did not run`), ...faults];
  if (short.length === 0 && exitCode !== 0) return [`the suite failed:\n${printed.slice(-2000)}`];
  return short;
}
