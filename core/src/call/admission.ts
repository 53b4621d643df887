import {
  holdsScope,
  roleAtLeast,
  type Admission,
  type CallContext,
  type Caller,
  type Role,
} from '../caller.js';
import { ServiceError, notFound, type Issue } from '../errors.js';
import type { Memberships, ResourceOwner } from '../services.js';
import { isStorable } from '../text.js';
import type { Tool } from '../tool.js';
import type { Effect } from '../toolset.js';

type ToolAccess = Tool['access'];

const NOWHERE: ReadonlyMap<string, Role> = new Map();

/** Decides which workspaces a call is admitted to, from what its tool declares in `access`. */
export class Admissions {
  readonly #memberships: Memberships | undefined;
  readonly #owners: ReadonlyMap<string, ResourceOwner>;

  constructor(memberships: Memberships | undefined, owners: readonly ResourceOwner[]) {
    this.#memberships = memberships;
    this.#owners = new Map(owners.map((owner) => [owner.resource, owner]));
  }

  /**
   * Puts a needed `workspace_id` that was left out into the arguments: the workspace of a record that they name
   * (`project_id`), or the caller's only one. Returns what is wrong where there is neither. With other `issues` no record
   * is looked up: its id may be one of them. Throws NOT_FOUND for a record that the caller does not see, and
   * PERMISSION_DENIED for a credential whose only workspace is gone.
   */
  async fillWorkspace(
    input: Record<string, unknown>,
    call: CallContext,
    issues: readonly Issue[] = [],
  ): Promise<Issue[]> {
    if (input['workspace_id'] !== undefined) return [];
    const visible = await this.#visible(call);
    const [only] = visible.keys();
    const named = this.#recordIn(input);
    if (named && issues.length > 0) return [];
    if (visible.size === 1 && only !== undefined) {
      input['workspace_id'] = only;
      return [];
    }
    if (named) {
      const { owner, id } = named;
      const found = isStorable(id) ? await owner.workspaceOf(id) : undefined;
      if (typeof found !== 'string' || !visible.has(found))
        throw notFound(owner.resource, id, owner.listedBy);
      input['workspace_id'] = found;
      return [];
    }
    if (visible.size === 0 && call.caller.workspaceId !== undefined) throw leftBehind();
    const { listedBy, createdBy } = this.#owners.get('workspace') ?? {};
    const message =
      visible.size === 0
        ? `you have no workspace yet: ${createdBy === undefined ? '' : `make one with ${createdBy}, or `}run service-mcp ingest`
        : `is required, because you have ${visible.size} workspaces${listedBy === undefined ? '' : `: call ${listedBy} for the ids`}`;
    return [{ path: '/workspace_id', message }];
  }

  /** Throws NOT_FOUND for a record that is not of the workspace: an answer without results would say that it is empty. */
  async #checkRecord(input: Record<string, unknown>, workspaceId: string): Promise<void> {
    const named = this.#recordIn(input);
    if (!named) return;
    const { owner, id } = named;
    const found = isStorable(id) ? await owner.workspaceOf(id) : undefined;
    if (found !== workspaceId) throw notFound(owner.resource, id, owner.listedBy);
  }

  /** The first argument that names a record of one workspace: `project_id`, `source_node_id`. */
  #recordIn(input: Record<string, unknown>): { owner: ResourceOwner; id: string } | undefined {
    for (const [argument, id] of Object.entries(input)) {
      const resource = /(?:^|_)([a-z]+)_id$/.exec(argument)?.[1];
      const owner =
        resource === undefined || resource === 'workspace' ? undefined : this.#owners.get(resource);
      if (owner && typeof id === 'string') return { owner, id };
    }
    return undefined;
  }

  /**
   * Throws NOT_FOUND for an absent or invisible row, PERMISSION_DENIED for too weak a role. Arguments of a tool were
   * checked against its schema; those of a resource or a prompt are texts as they were sent. `takesWorkspace`: a caller
   * who may not act on the deployment can name a workspace.
   */
  async admit(
    access: ToolAccess,
    effect: Effect,
    input: Record<string, unknown>,
    call: CallContext,
    takesWorkspace = false,
  ): Promise<Admission> {
    const { caller } = call;
    const nowhere = new Admitted(caller, NOWHERE);
    if (access.in === 'self') return nowhere;
    if (access.in === 'deployment') {
      if (caller.workspaceId !== undefined && effect !== 'read') throw confined();
      return nowhere;
    }
    if (access.in === 'visible') {
      const wanted = input['workspace_id'] as string | undefined; // nothing else comes here, as said above
      if (wanted === undefined) return new Admitted(caller, await this.#visible(call));
      return this.#one(access, wanted, call, () => this.#noWorkspace(wanted));
    }
    if (access.in === 'administration' && input['workspace_id'] === undefined) {
      refuseUnlessAdministrator(effect, call, takesWorkspace);
      return nowhere;
    }
    if (access.in === 'workspace' || access.in === 'administration') {
      const id = String(input['workspace_id']);
      const admission = await this.#one(access, id, call, () => this.#noWorkspace(id));
      await this.#checkRecord(input, id);
      return admission;
    }
    const { resource } = access.in;
    const id = String(input[access.in.id]);
    const owner = this.#owners.get(resource);
    if (!owner) throw new Error(`no plugin owns the resource ${resource}`);
    const missing = () => notFound(resource, id, owner.listedBy);
    const workspaceId = isStorable(id) ? await owner.workspaceOf(id) : undefined;
    if (workspaceId === undefined) throw (await this.#mistaken(owner, id, call)) ?? missing();
    if (workspaceId === null) {
      if (!isAdministrator(effect, call)) throw missing();
      return nowhere;
    }
    const { unlessSelf } = access;
    const onSelf = unlessSelf !== undefined && input[unlessSelf] === caller.userId;
    return this.#one(onSelf ? { ...access, role: 'viewer' } : access, workspaceId, call, missing);
  }

  async #one(
    access: ToolAccess,
    workspaceId: string,
    call: CallContext,
    missing: () => ServiceError,
  ): Promise<Admission> {
    const { caller } = call;
    const role = isStorable(workspaceId) ? await this.#memberships?.roleIn(caller, workspaceId) : undefined;
    if (role === undefined) throw missing();
    if (!roleAtLeast(role, access.role)) {
      throw new ServiceError(
        'PERMISSION_DENIED',
        `You are ${role} in this workspace; this needs ${access.role}. Ask an owner or admin of it.`,
        { details: { role, needed: access.role, workspace_id: workspaceId } },
      );
    }
    return new Admitted(caller, new Map([[workspaceId, role]]));
  }

  /** The id of another kind of record that the caller sees. */
  async #mistaken(owner: ResourceOwner, id: string, call: CallContext): Promise<ServiceError | undefined> {
    const other = isStorable(id) ? await owner.mistakenFor?.(id) : undefined;
    if (!other || !(await this.#visible(call)).has(other.workspaceId)) return undefined;
    return new ServiceError('NOT_FOUND', `There is no ${owner.resource} ${id}: ${other.hint}.`);
  }

  #noWorkspace(id: string): ServiceError {
    return notFound('workspace', id, this.#owners.get('workspace')?.listedBy);
  }

  #visible(call: CallContext): Promise<ReadonlyMap<string, Role>> {
    return this.#memberships?.of(call.caller) ?? Promise.resolve(NOWHERE);
  }
}

/** A class, because accessors of its own would make each object cost more than the rest of an admission. */
class Admitted implements Admission {
  readonly caller: Caller;
  readonly workspaces: ReadonlyMap<string, Role>;

  constructor(caller: Caller, workspaces: ReadonlyMap<string, Role>) {
    this.caller = caller;
    this.workspaces = workspaces;
  }

  get workspaceIds() {
    return [...this.workspaces.keys()];
  }

  get workspaceId() {
    const [id, ...more] = this.workspaces.keys();
    if (id === undefined || more.length > 0) throw new Error('the call was not admitted to one workspace');
    return id;
  }
}

function isAdministrator(effect: Effect, { caller }: CallContext): boolean {
  if (!caller.administrator || caller.workspaceId !== undefined) return false;
  return holdsScope(caller, effect === 'read' ? 'admin:read' : 'admin:write');
}

function refuseUnlessAdministrator(effect: Effect, call: CallContext, takesWorkspace: boolean): void {
  if (isAdministrator(effect, call)) return;
  const { caller } = call;
  if (caller.workspaceId !== undefined) throw confined(takesWorkspace ? caller.workspaceId : undefined);
  const instead = takesWorkspace ? ', or name a workspace_id where you are an admin' : '';
  if (!caller.administrator) {
    throw new ServiceError(
      'PERMISSION_DENIED',
      `This is for administrators of the deployment. Ask one of them${instead}.`,
    );
  }
  const scope = effect === 'read' ? 'admin:read' : 'admin:write';
  throw new ServiceError(
    'PERMISSION_DENIED',
    `For the whole deployment, this needs the scope ${scope}. Use a credential that has it${instead}.`,
    { details: { scope } },
  );
}

/** `instead`: the workspace that the call could name. */
function confined(instead?: string): ServiceError {
  const remedy =
    instead === undefined
      ? 'Use one that is not.'
      : `Name it as workspace_id ${instead}, or use one that is not.`;
  return new ServiceError('PERMISSION_DENIED', `This credential is confined to one workspace. ${remedy}`);
}

function leftBehind(): ServiceError {
  return new ServiceError(
    'PERMISSION_DENIED',
    'This credential is confined to a workspace that was deleted, or that you left. Use another one.',
  );
}
