import assert from 'node:assert/strict';
import { mentionsOf } from '@service-mcp/plugin-ai/internals';

describe('what requirements spell out', () => {
  it('is names, paths, routes and flags', () => {
    assert.deepEqual(
      mentionsOf(
        'Let retryUpload() of src/upload/retry.ts and Store.get answer /v1/files/:id with --as-json, see @scope/pkg, read_file and `a b`.',
      ),
      [
        'a b',
        'retryUpload',
        'src/upload/retry.ts',
        'Store.get',
        '/v1/files/:id',
        '--as-json',
        '@scope/pkg',
        'read_file',
      ],
    );
  });

  // The event loop waits meanwhile: one request stopped the whole service for hours.
  it('is found in a time that grows with their length alone', () => {
    for (const unit of ['/', 'a', './', 'a/', 'ü', 'A', '0', '--a', 'a.', '@', '_', 'a$']) {
      const startedAt = performance.now();
      mentionsOf(`${unit.repeat(20_000 / unit.length)}!`);
      assert.ok(performance.now() - startedAt < 2000, unit);
    }
  });
});
