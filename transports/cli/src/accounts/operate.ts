import { commandName } from '../command.js';
import { localConnection } from '../connection/local.js';
import type { DeploymentOptions } from '../deployment.js';
import { Failure } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { explainWithoutAccounts } from './without-accounts.js';

/**
 * Calls a tool for operators: on the deployment itself, in this process, whether its service runs or not. `conflict`
 * is the command that comes next where there is one.
 */
export async function operate(
  options: DeploymentOptions,
  tool: string,
  args: object,
  { signal }: Invocation,
  conflict?: string,
): Promise<Record<string, unknown>> {
  const connection = await localConnection(options, false);
  try {
    return await connection.call(tool, args, { signal }).catch(explain(conflict));
  } finally {
    await connection.close();
  }
}

/** The tools name tools as what comes next; here it is commands. */
function explain(conflict: string | undefined): (thrown: unknown) => never {
  return (thrown) => {
    if (!(thrown instanceof Failure)) throw thrown;
    const { code, issues } = thrown;
    const next = code === 'NOT_FOUND' ? 'accounts list' : code === 'CONFLICT' ? conflict : undefined;
    if (next === undefined) return explainWithoutAccounts(thrown);
    const [message = thrown.message] = thrown.message.split(/(?<=\.) /);
    throw new Failure(message, { code, issues, next: `Run: ${commandName()} ${next}`, cause: thrown });
  };
}
