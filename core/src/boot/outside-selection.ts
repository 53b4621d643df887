import type { ToolInfo } from '../catalog.js';
import { ServiceError } from '../errors.js';
import type { Selection } from '../toolset.js';

/** Why a request does not get a tool under the ceiling that its selection leaves out. `name` as called, `listed` its tools. */
export function outsideSelection(
  name: string,
  { name: ownName, effect }: ToolInfo,
  { toolsets, readOnly }: Selection,
  listed: readonly ToolInfo[],
): ServiceError {
  // Another toolset would not help.
  if (readOnly && effect !== 'read')
    return new ServiceError(
      'UNKNOWN_TOOL',
      `The tool "${name}" may write, and this request is read-only. Send it without the header X-Service-Readonly and ?readonly=, and not through a tool that only reads; a gateway adds the header where SERVICE_READ_ONLY is set.`,
    );
  const domain = `${ownName.split('_')[0]}_`;
  const near = listed.flatMap((info) => (info.name.startsWith(domain) ? [info.name] : []));
  const siblings = near.length === 0 ? '' : `, which has of these ${near.join(', ')}`;
  return new ServiceError(
    'UNKNOWN_TOOL',
    `The tool "${name}" is outside the toolset of this request (${toolsets.join(', ')})${siblings}. Ask for it with the header X-Service-Toolset or ?toolset=; over stdio, with SERVICE_TOOLSETS_DEFAULT.`,
  );
}
