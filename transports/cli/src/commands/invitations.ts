import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connect.js';
import { listAll } from '../connection/connection.js';
import { explainWithoutAccounts, explainWrongId } from '../connection/remedy.js';
import { commandName } from '../command-name.js';
import type { Invocation } from '../invocation.js';
import { plural, printable } from '../terminal/format.js';

export function addInvitations(program: Command, invocation: Invocation): void {
  const invitations = program
    .command('invitations')
    .description('list, accept and decline invitations to workspaces')
    .addHelpText(
      'after',
      [
        '',
        'These commands show the invitations of the account that your key belongs to. Until you accept one, you see',
        'nothing of its workspace, and no command uses it.',
      ].join('\n'),
    );
  const add = (name: string, description: string, argument?: string) => {
    const command = invitations.command(name).description(description);
    if (argument !== undefined) command.argument(argument, 'id of the invitation (see invitations list)');
    return addConnectionOptions(command).option('--json', 'print the outcome as JSON');
  };
  add('list', 'list your pending invitations, newest first').action((options: ConnectionOptions) =>
    list(options, invocation),
  );
  add('accept', 'accept an invitation and join its workspace', '<id>').action(
    (id: string, options: ConnectionOptions) => decide('members_accept', id, options, invocation),
  );
  add('decline', 'refuse it', '<id>').action((id: string, options: ConnectionOptions) =>
    decide('members_decline', id, options, invocation),
  );
}

async function list(options: ConnectionOptions, invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  await using connection = await connect(options, invocation);
  const items = await listAll(connection, 'members_list_invitations', {}).catch(explainWithoutAccounts);
  if (terminal.json) return terminal.value(items);
  const { paint } = terminal;
  if (items.length === 0) return terminal.say('No invitations wait for you.');
  const heads = ['WORKSPACE', 'ROLE', 'INVITED BY', 'SINCE', 'ID'].map((head) => paint('dim', head));
  const rows = items.map(({ id, workspace, role, invited_by: inviter, created_at: since }) => [
    paint('bold', printable(workspace.name)),
    role,
    printable(inviter),
    since.slice(0, 10),
    id,
  ]);
  terminal.table([heads, ...rows]);
  terminal.note(
    `\n${plural(items.length, 'invitation')}. Join one with: ${commandName()} invitations accept ID${connection.target}`,
  );
}

async function decide(
  tool: 'members_accept' | 'members_decline',
  id: string,
  options: ConnectionOptions,
  invocation: Invocation,
): Promise<void> {
  const { terminal } = invocation;
  await using connection = await connect(options, invocation);
  const outcome = await connection
    .call(tool, { membership_id: id })
    .catch(explainWrongId('invitation', id, `invitations list${connection.target}`));
  if (terminal.json) return terminal.value(outcome);
  terminal.out(
    'role' in outcome
      ? `You are ${outcome.role} of the workspace ${outcome.workspace_id}.`
      : `Declined ${id}.`,
  );
}
