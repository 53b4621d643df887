import assert from 'node:assert/strict';
import { Spaces, type SpacesParts } from '@service-mcp/plugin-search/internals';

const DESCRIPTION = {
  provider: 'openai',
  model: 'm',
  place: 'http://models.example',
  digest: '',
  dimensions: 8,
  asksDimensions: false,
  queryPrefix: '',
  passagePrefix: '',
  pooling: 'service',
} as const;

describe('the vector spaces of a workspace', () => {
  for (const kind of ['hashed', 'provided'] as const)
    it(`are read and written under the name they are stored under: ${kind}`, async () => {
      const workspace = { workspace_id: 'w', dimensions: 8, chunks: 0, generation: 1, cursor: '', since: '' };
      const rows = [{ ...workspace, space_id: 'of-an-earlier-version', kind, state: 'active' as const }];
      const parts = {
        store: {
          list: () => Promise.resolve(rows.map((row) => ({ ...row }))),
          add: (space: object) => Promise.resolve(void rows.push({ ...rows[0]!, ...space })),
          description: () => Promise.resolve(DESCRIPTION),
        },
        provider:
          kind === 'hashed'
            ? undefined
            : {
                makes: () => true,
                describe: () => Promise.resolve(DESCRIPTION),
                embed: (texts: readonly string[]) =>
                  Promise.resolve({ vectors: texts.map(() => new Float32Array(8)), tokens: 0 }),
              },
      };
      const spaces = new Spaces(parts as unknown as SpacesParts);
      assert.equal((await spaces.active('w')).spaceId, 'of-an-earlier-version');
      const { embedded, provided } = await spaces.writing('w');
      assert.deepEqual(
        [...embedded, ...provided].map(({ spaceId }) => spaceId),
        rows.map(({ space_id }) => space_id),
      );
      assert.equal(new Set(rows.map(({ space_id }) => space_id)).size, rows.length);
    });
});
