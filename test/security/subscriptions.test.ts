import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { startTeam, type Person, type Team } from './start-team.js';

const WORKSPACES = 'service://workspaces';
const VERSION = '2026-07-28';

interface Message {
  readonly method?: string;
  readonly params?: { readonly uri?: string };
}

/** The addresses of changed resources that a stream tells of, in order. */
function addressesOf(response: Response): () => Promise<string | undefined> {
  async function* read(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      const lines = (text + decoder.decode(chunk, { stream: true })).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines.filter((each) => each.startsWith('data: '))) {
        const { method, params } = JSON.parse(line.slice('data: '.length)) as Message;
        if (method === 'notifications/subscriptions/acknowledged') yield 'acknowledged';
        if (method === 'notifications/resources/updated') yield params?.uri ?? '';
      }
    }
  }
  assert.ok(response.body);
  const addresses = read(response.body);
  return async () => (await addresses.next()).value as string | undefined;
}

eachDatabase((fresh) => {
  describe('subscriptions to resources', () => {
    let team: Team;
    before(async () => {
      team = await startTeam(await fresh());
    });
    after(() => team.stop());

    const post = (person: Person, method: string, params: object, headers: Record<string, string> = {}) =>
      fetch(`${team.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'x-service-api-key': person.key,
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });

    async function subscribedSession(person: Person, uris: readonly string[]) {
      const opening = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      };
      const opened = await post(person, 'initialize', opening);
      await opened.text();
      const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
      for (const uri of uris) {
        const answer = await post(person, 'resources/subscribe', { uri }, session);
        assert.match(await answer.text(), /"result":\{\}/);
      }
      return async () =>
        addressesOf(
          await fetch(`${team.url}/mcp`, {
            headers: { accept: 'text/event-stream', 'x-service-api-key': person.key, ...session },
          }),
        );
    }

    const ways: Record<
      string,
      (who: Person, uris: readonly string[]) => Promise<ReturnType<typeof addressesOf>>
    > = {
      'in a session': async (who, uris) => (await subscribedSession(who, uris))(),
      async 'by subscriptions/listen'(who, uris) {
        const _meta = {
          'io.modelcontextprotocol/protocolVersion': VERSION,
          'io.modelcontextprotocol/clientCapabilities': {},
        };
        const params = { _meta, notifications: { resourceSubscriptions: uris } };
        const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': 'subscriptions/listen' };
        const next = addressesOf(await post(who, 'subscriptions/listen', params, headers));
        assert.equal(await next(), 'acknowledged');
        return next;
      },
    };

    /** A workspace with a project, its owner, and a member of it who has a workspace besides. */
    async function workspace(name: string) {
      const [owner, member] = [await team.person(`${name}-owner`), await team.person(`${name}-member`)];
      const { id: workspace_id } = await team.as<{ id: string }>(owner, 'workspaces_create', { name });
      const { id: project_id } = await team.as<{ id: string }>(owner, 'projects_create', {
        workspace_id,
        name,
      });
      const asked = { workspace_id, email: member.email, role: 'member' };
      const { id: membership_id } = await team.as(owner, 'members_add', asked);
      await team.as(member, 'members_accept', { membership_id });
      const { id: own } = await team.as<{ id: string }>(member, 'workspaces_create', { name: `${name} own` });
      return {
        member,
        address: `service://projects/${project_id}`,
        renameWorkspace: () => team.as(owner, 'workspaces_update', { workspace_id, name: `${name} two` }),
        renameProject: (to = 'two') =>
          team.as(owner, 'projects_update', { project_id, name: `${name} ${to}` }),
        renameOwn: () => team.as(member, 'workspaces_update', { workspace_id: own, name: `${name} three` }),
        remove: () => team.as(owner, 'members_remove', { workspace_id, user_id: member.id }),
      };
    }

    for (const [way, follow] of Object.entries(ways)) {
      it(`${way} tell of what their person may see`, async () => {
        const name = way.replaceAll(/[^a-z]/g, '-');
        const [mine, theirs] = [await workspace(`${name}-mine`), await workspace(`${name}-theirs`)];
        const next = await follow(mine.member, [WORKSPACES, mine.address]);
        await mine.renameProject('one');
        while ((await next()) !== mine.address); // what was made before may be told late
        await theirs.renameWorkspace();
        await theirs.renameOwn();
        await mine.renameProject();
        assert.equal(await next(), mine.address, 'nothing of others before it');
        await mine.renameWorkspace();
        assert.equal(await next(), WORKSPACES);
        await mine.remove();
        assert.equal(await next(), WORKSPACES, 'the own removal');
        await mine.renameProject();
        await mine.renameWorkspace();
        await theirs.renameWorkspace();
        await mine.renameOwn();
        assert.equal(await next(), WORKSPACES);
        const { id: workspace_id } = await team.as<{ id: string }>(mine.member, 'workspaces_create', {
          name: 'new',
        });
        assert.equal(await next(), WORKSPACES);
        await team.as(mine.member, 'workspaces_delete', { workspace_id });
        assert.equal(await next(), WORKSPACES);
      });
    }

    it('in a session are silent on a stream that opens after the removal', async () => {
      const { member, address, remove, renameProject, renameOwn } = await workspace('late');
      const open = await subscribedSession(member, [address, WORKSPACES]);
      await remove();
      const next = await open();
      await renameProject();
      await renameOwn();
      assert.equal(await next(), WORKSPACES);
    });
  });
});
