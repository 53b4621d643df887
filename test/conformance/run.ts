import { faultsOf, runConformance, shortcomingsOf, type Reached } from './conformance.js';
import type { Scenario } from './suite.js';

/** `npm run conformance`: prints the outcome of each scenario, and fails when a required one does not pass. */
try {
  const outcomes = await runConformance((line) => process.stderr.write(`${line}\n`));
  for (const outcome of outcomes) print(outcome);
  process.exitCode = outcomes.some((outcome) => shortcomingsOf(outcome).length > 0) ? 1 : 0;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

function print(outcome: Reached): void {
  const { revision, way, scenarios, missing } = outcome;
  const required = scenarios.filter((scenario) => scenario.required);
  const passed = required.filter((scenario) => faultsOf(scenario).length === 0);
  const width = Math.max(...scenarios.map(({ name }) => name.length));
  const lines = scenarios.map((scenario) => row(scenario, width));
  const short = shortcomingsOf(outcome).map((line) => `  ${line}`);
  const head = `${revision}, ${way}: ${passed.length} of ${required.length + missing.length} required scenarios passed`;
  process.stdout.write(`\n${[head, '', ...lines, ...(short.length > 0 ? ['', ...short] : [])].join('\n')}\n`);
}

function row(scenario: Scenario, width: number): string {
  const faults = faultsOf(scenario);
  const applies = scenario.checks.filter(({ status }) => status === 'SUCCESS').length;
  const verdict = faults.length > 0 ? 'failed' : applies === 0 ? 'does not apply' : 'passed';
  const kind = scenario.required ? 'required' : 'not scored';
  return `  ${scenario.name.padEnd(width)}  ${kind.padEnd(10)}  ${verdict} (${applies} of ${scenario.checks.length} checks)`;
}
