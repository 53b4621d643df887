import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, post, type Answer } from '../security/raw-http.js';
import { startHosted, withKey, type Account, type Hosted } from '../security/start-hosted.js';

const WAITING = 30;
/** Calls of one tenant that may end while the other one asks: who waits for their turn behind all sees twice as many. */
const FEW = WAITING / 2;
/** Some tenths of a second of work, in a step that nothing interrupts: each is another automaton over every letter. */
const heavy = (n: number) => `(?:[ab ]{1,50}){1,19}[0-9]{${n + 1}}`;
const LARGE = 'ab '.repeat(150_000);

/** Someone with a workspace and a project of their own. */
interface Tenant {
  readonly call: (path: string, body: object) => Promise<Answer>;
  readonly workspace_id: string;
}

const resultsOf = (answer: Answer) => answer.json<{ data: { results: unknown[] } }>().data.results.length;

describe('threat: a tenant that takes all turns', () => {
  let service: Hosted;
  let bob: Tenant;
  let alice: Tenant;

  async function tenant(account: Account, files: readonly object[]): Promise<Tenant> {
    const call = (path: string, body: object) => post(service.local, path, body, withKey(account.key));
    const made = async (path: string, body: object) => {
      const answer = await call(path, body);
      assert.ok(answer.status < 300, answer.text);
      return answer.json<{ data: { id: string } }>().data.id;
    };
    const workspace_id = await made('/v1/workspaces', { name: 'own' });
    const project = await made('/v1/projects', { workspace_id, name: 'own' });
    for (const file of files) await made(`/v1/projects/${project}/files/ingest`, { files: [file] });
    const status = async () => {
      const answer = await ask(service.local, `/v1/projects/${project}/index/status`, {
        headers: withKey(account.key),
      });
      return answer.json<{ data: { indexed: number; failed: number } }>().data;
    };
    for (let now = await status(); now.indexed < files.length; now = await status()) {
      assert.equal(now.failed, 0);
      await delay(100);
    }
    return { call, workspace_id };
  }

  before(async () => {
    service = await startHosted({ search: { training: false, waiting_per_user: WAITING } });
    bob = await tenant(await service.account('bob'), [{ path: 'large.txt', content: LARGE }]);
    const note = { path: 'note.md', content: '# A note\n\nAbout lighthouses.\n' };
    alice = await tenant(await service.account('alice'), [note]);
  });
  after(() => service.stop());

  it('delays nobody else, and is refused when it asks for too much', async () => {
    const { workspace_id } = bob;
    let answered = 0;
    const asked: Promise<Answer>[] = [];
    const refused = await new Promise<Answer>((resolve) => {
      for (let n = 0; n < 2 * WAITING; n++) {
        const call = bob.call('/v1/search/pattern', { workspace_id, query: heavy(n) });
        asked.push(call);
        void call.then((answer) => {
          if (answer.status === 429) resolve(answer);
          else answered += 1;
        });
      }
    });
    assert.equal(refused.headers['retry-after'], '1');
    assert.match(refused.text, /RATE_LIMITED.*wait already/);

    for (const mode of ['pattern', 'keyword']) {
      const found = await alice.call(`/v1/search/${mode}`, {
        workspace_id: alice.workspace_id,
        query: 'lighthouses',
      });
      assert.equal(found.status, 200, found.text);
      assert.equal(resultsOf(found), 1);
    }
    assert.ok(answered <= FEW, `${answered} calls of the other tenant were answered before`);
    const answers = await Promise.all(asked);
    for (const { status, text } of answers) assert.ok(status === 200 || status === 429, text);
    assert.ok(answers.filter(({ status }) => status === 200).length >= WAITING);
  });
});
