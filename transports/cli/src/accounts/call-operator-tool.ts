import { commandName } from '../command-name.js';
import type { Arguments, Result } from '../connection/connection.js';
import { connectHere } from '../connection/connect.js';
import type { DeploymentOptions } from '../deployment.js';
import { isRefusal } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { explainWithoutAccounts } from './explain-without-accounts.js';

/**
 * Calls a tool for operators on the deployment itself, in this process, whether its service runs or not. `conflict` is
 * the command to run next after a CONFLICT.
 */
export async function callOperatorTool<Name extends string>(
  options: DeploymentOptions,
  tool: Name,
  args: Arguments<Name>,
  { signal }: Invocation,
  conflict?: string,
): Promise<Result<Name>> {
  await using connection = await connectHere(options, { signal });
  return await connection.call(tool, args, { signal }).catch(nameCommands(conflict));
}

/** Messages of tools name other tools as the next step; here the next step is a command. */
function nameCommands(conflict: string | undefined): (thrown: unknown) => never {
  return (thrown) => {
    const next = isRefusal(thrown, 'NOT_FOUND') ? 'accounts list' : conflict;
    if (!isRefusal(thrown, 'NOT_FOUND', 'CONFLICT') || next === undefined)
      return explainWithoutAccounts(thrown);
    throw thrown.with({ next: `Run: ${commandName()} ${next}` }, thrown.message.split(/(?<=\.) /)[0]);
  };
}
