import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { eachDatabase } from '@service-mcp/core/testing';
import { startService } from '../../service-process.js';
import { creationLedger } from './creation-ledger.js';
import { FAULT_LOOPS } from '../support/fault-loops.js';

const WRITERS = 8;
const REPETITION_MS = 1_000;
/** For a machine that is busy with other tests. */
const SLACK = 8;

describe(`fault: kill -9, ${FAULT_LOOPS} times under ${WRITERS} writers with Idempotency-Keys`, () => {
  eachDatabase((fresh) => {
    it('loses no acknowledged creation, creates none twice, and answers repetitions at once', async function () {
      this.timeout(60_000 * (FAULT_LOOPS + 5));
      const { dataDir, env } = await fresh();
      const ledger = creationLedger();
      const restarts: number[] = [];
      let service = await startService(dataDir, env);
      try {
        await service.call('workspaces_create', { name: 'w' });
        const writing = ledger.write(WRITERS, () => service);
        for (let kill = 0; kill < FAULT_LOOPS; kill++) {
          await ledger.grow(WRITERS);
          await delay(Math.random() * 300);
          await service.end('SIGKILL');
          const killedAt = Date.now();
          service = await startService(dataDir, env);
          restarts.push(Date.now() - killedAt);
        }
        await writing.stop();
        const { lost, twice } = await ledger.compare(service);
        const { acknowledged, toldByEvents, slowestRepetition } = ledger;
        console.log(
          `      acknowledged ${acknowledged.size}, lost ${lost}, twice ${twice}; told by CONFLICT ${toldByEvents}; ` +
            `restart at most ${Math.max(...restarts)} ms, repetition at most ${slowestRepetition} ms`,
        );
        assert.deepEqual({ lost, twice }, { lost: 0, twice: 0 });
        assert.ok(slowestRepetition <= REPETITION_MS * SLACK, `${slowestRepetition} ms`);
      } finally {
        await service.end('SIGKILL');
      }
    });
  });
});
