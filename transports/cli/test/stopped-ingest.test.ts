import assert from 'node:assert/strict';
import { Failure } from '#cli/failure.js';
import { waitForIndex, type IndexStatus } from '#cli/ingest/index-status.js';
import { openTerminal } from '#cli/terminal/terminal.js';

describe('an ingest that is stopped while files wait', () => {
  const stopIn = async (state: IndexStatus['state']) => {
    const stopping = new AbortController();
    const status = { state, pending: 3, indexed: 0, failed: 0, indexed_at: null, generation: 1 };
    const call = async () => {
      setImmediate(() => stopping.abort());
      return status;
    };
    const invocation = { terminal: openTerminal(true), signal: stopping.signal };
    const connection = { url: 'http://127.0.0.1:1', target: ' --url http://127.0.0.1:1', call };
    return waitForIndex(connection as never, 'p1', invocation as never).then(
      () => '',
      (thrown: unknown) => (thrown instanceof Failure ? thrown.message : String(thrown)),
    );
  };

  it('says what becomes of them', async () => {
    assert.match(
      await stopIn('indexing'),
      /^Stopped\. Everything is sent; the service goes on to index it\.$/,
    );
  });

  it('promises nothing while the index takes none', async () => {
    assert.match(
      await stopIn('degraded'),
      /nothing of it is indexed while .* takes no files: see .*doctor --url http:\/\/127\.0\.0\.1:1\.$/,
    );
  });
});
