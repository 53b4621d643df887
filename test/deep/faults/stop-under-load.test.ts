import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { eachDatabase } from '@service-mcp/core/testing';
import { startService } from '../../service-process.js';
import { creationLedger } from './creation-ledger.js';

const CALLERS = 20;
const WRITERS = 8;
const STOP_MS = 10_000;

type Outcome = 'answered' | 'refused' | 'not reached' | 'reset';

/** One call over a connection that is kept: undici would repeat some calls by itself. */
function list(url: string, agent: Agent): Promise<Outcome> {
  return new Promise((resolve) => {
    const sent = request(`${url}/v1/workspaces`, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200 ? 'answered' : 'refused'));
      response.once('error', () => resolve('reset'));
    });
    sent.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ECONNREFUSED' ? 'not reached' : 'reset'),
    );
    sent.end();
  });
}

describe('fault: SIGTERM under load', () => {
  eachDatabase((fresh) => {
    it(`${CALLERS} callers and ${WRITERS} writers get answers and then 503, no connection is reset, and nothing is lost`, async () => {
      const { dataDir, env } = await fresh();
      let service = await startService(dataDir, env);
      const ledger = creationLedger();
      const agent = new Agent({ keepAlive: true });
      try {
        const counts = { answered: 0, refused: 0, 'not reached': 0, reset: 0 };
        await service.call('workspaces_create', { name: 'w' });
        const { url } = service;
        const writing = ledger.write(WRITERS, () => service);
        const callers = Array.from({ length: CALLERS }, async () => {
          // A client waits after a 503, as Retry-After says.
          for (let outcome: Outcome = 'answered'; outcome === 'answered';) {
            outcome = await list(url, agent);
            counts[outcome] += 1;
          }
        });
        while (counts.answered < CALLERS * 5) await new Promise((resolve) => setTimeout(resolve, 5));
        await ledger.grow(WRITERS);
        const toldAt = Date.now();
        service.child.kill('SIGTERM');
        await once(service.child, 'exit');
        const took = Date.now() - toldAt;
        await Promise.all(callers);
        const { exitCode } = service.child;
        service = await startService(dataDir, env);
        await ledger.grow(WRITERS);
        const recovery = Date.now() - toldAt;
        await writing.stop();
        const { lost, twice } = await ledger.compare(service);
        console.log(
          `      acknowledged ${ledger.acknowledged.size}, lost ${lost}, twice ${twice}; ended after ${took} ms, ` +
            `writing again after ${recovery} ms; ${JSON.stringify(counts)}`,
        );
        assert.deepEqual({ lost, twice }, { lost: 0, twice: 0 });
        assert.deepEqual([counts.reset, counts['not reached']], [0, 0]);
        assert.ok(took < STOP_MS, `${took} ms`);
        assert.equal(exitCode, 0);
      } finally {
        agent.destroy();
        await service.end('SIGKILL');
      }
    });
  });
});
