import { testHost } from '@service-mcp/core/testing';
import mcp from '@service-mcp/transport-mcp';
import { serveGateway } from '../gateway/support/serve-gateway.js';
import { conformance } from './plugin/index.js';
import { installSuite, type Outcome, type Scenario } from './suite.js';

/** The revisions of MCP that both eras stand for. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

/** The outcome of a revision, at the service itself or through a gateway. */
export type Reached = Outcome & { readonly way: 'straight' | 'through a gateway' };

/** Runs the suite of each revision over HTTP on a host with the plugin that the suite calls, and through a gateway. */
export async function runConformance(told: (line: string) => void): Promise<readonly Reached[]> {
  told('installing the suite …');
  const suite = await installSuite();
  const outcomes: Reached[] = [];
  try {
    for (const revision of REVISIONS) {
      told(`running ${revision} …`);
      const host = await testHost({ plugins: [conformance], transports: [mcp] });
      const gateway = await serveGateway({ SERVICE_API_URL: host.url ?? '' });
      try {
        outcomes.push({ ...(await suite.run(`${host.url}/mcp`, revision)), way: 'straight' });
        outcomes.push({ ...(await suite.run(`${gateway.url}/mcp`, revision)), way: 'through a gateway' });
      } finally {
        await gateway.stop();
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
