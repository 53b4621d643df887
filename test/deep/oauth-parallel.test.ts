import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import type { Person } from '../oauth/support/oauth-deployment.js';
import { Program, type Send, type Tokens } from '../oauth/support/program.js';
import { ORIGIN, startReplicas, type Replicas } from '../oauth/support/replicas.js';

const ROUNDS = 25;
const AT_ONCE = 10;

eachDatabase((fresh) => {
  describe(`${ROUNDS} rounds of ${AT_ONCE} requests at once, over two processes`, () => {
    let replicas: Replicas;
    let program: Program;
    let person: Person;
    before(async () => {
      replicas = await startReplicas(await fresh());
      program = await new Program(ORIGIN).register(replicas.through[0]);
      person = await replicas.person('ann');
    });
    after(() => replicas?.stop());

    /** Sent through one of the processes, from an address of the round: a peer may ask for tokens 600 times a minute. */
    const one = async (send: Send, process: number, round: number) => {
      const through = replicas.through[process % 2 === 0 ? 0 : 1];
      const from = (url: string, init: RequestInit = {}) => {
        const headers = new Headers(init.headers);
        headers.set('x-forwarded-for', `198.51.100.${round}`);
        return through(url, { ...init, headers });
      };
      const response = await send(from as typeof fetch);
      return { status: response.status, body: await response.text() };
    };
    const atOnce = (send: Send, round: number) =>
      Promise.all(Array.from({ length: AT_ONCE }, (_, process) => one(send, process, round)));

    it('redeem a code once, and refresh once for all callers', async () => {
      const browser = replicas.browser(0);
      for (let round = 1; round <= ROUNDS; round++) {
        const redeemed = await atOnce(await program.code(browser, person), round);
        const won = redeemed.filter(({ status }) => status === 200);
        const answers = new Set(redeemed.map(({ status, body }) => `${status} ${body}`));
        assert.equal(won.length, 1, `round ${round}: ${[...answers].join('\n')}`);
        let tokens = JSON.parse(won[0]?.body ?? '') as Tokens;
        for (let turn = 1; turn <= 3; turn++) {
          const refreshed = await atOnce(program.refresh(tokens), round);
          const replies = new Set(refreshed.map(({ status, body }) => `${status} ${body}`));
          assert.equal(replies.size, 1, `round ${round}, turn ${turn}: ${[...replies].join('\n')}`);
          tokens = JSON.parse(refreshed[0]?.body ?? '') as Tokens;
          const used = await one(program.use(tokens), turn, round);
          assert.equal(used.status, 200, `round ${round}, turn ${turn}: ${used.body}`);
        }
      }
    });
  });
});
