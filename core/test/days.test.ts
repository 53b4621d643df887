import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { TimeOrDay, closed, defineTool } from '@service-mcp/core';
import { rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import { demo } from './fixtures.js';

const text = Type.Optional(Type.String());
const tool = defineTool({
  name: 'demo_when',
  title: 'When',
  description: 'Says which times its handler got.',
  input: Type.Object(
    {
      since: Type.Optional(TimeOrDay('From then on')),
      until: Type.Optional(TimeOrDay('Before then', 'next')),
      as_of: Type.Optional(
        Type.Union([TimeOrDay('As it was', 'within'), Type.Literal('')], {
          description: 'As it was, or now',
        }),
      ),
      valid_to: Type.Optional(TimeOrDay('Until then', 'last')),
      inside: Type.Optional(
        Type.Object({ since: Type.Optional(TimeOrDay('From then on')) }, { ...closed, description: 'More' }),
      ),
    },
    closed,
  ),
  output: Type.Object(
    {
      since: text,
      until: text,
      as_of: text,
      valid_to: text,
      inside: Type.Optional(Type.Object({ since: text }, closed)),
    },
    closed,
  ),
  effect: 'read',
  access: { scope: 'demo:read', in: 'deployment' },
  uses: {},
  handler: (given) => Promise.resolve(given),
});

describe('days as arguments', () => {
  let host: TestHost;
  before(async () => (host = await testHost({ plugins: [demo([tool])] })));
  after(() => host.stop());

  it('mean a time of UTC: the first or last of the day, the first of the next, or one at which all of the day still holds', async () => {
    const day = '2026-11-30';
    assert.deepEqual(
      await host.use('demo_when', {
        since: day,
        until: day,
        as_of: day,
        valid_to: day,
        inside: { since: day },
      }),
      {
        since: '2026-11-30T00:00:00.000Z',
        until: '2026-12-01T00:00:00.000Z',
        as_of: '2026-11-30T23:59:59.998Z',
        valid_to: '2026-11-30T23:59:59.999Z',
        inside: { since: '2026-11-30T00:00:00.000Z' },
      },
    );
    assert.deepEqual(await host.use('demo_when', { until: '1969-12-31' }), {
      until: '1970-01-01T00:00:00.000Z',
    });
  });

  it('leave times as they are, and what a schema takes besides', async () => {
    const given = { since: '2026-11-30T01:00:00+01:00', until: '2026-11-30T01:00:00Z', as_of: '' };
    assert.deepEqual(await host.use('demo_when', given), given);
  });

  it('are refused where until is not after since, since nothing lies between them', async () => {
    for (const [since, until] of [
      ['2026-11-30', '2026-11-28'],
      ['2026-11-30', '2026-11-29'], // which means the first moment of the next day
      ['2026-11-30T01:00:00+01:00', '2026-11-29T23:59:59Z'],
    ])
      await rejects(
        host.use('demo_when', { since, until }),
        'INVALID_ARGUMENT',
        /since: must be before until/,
      );
  });

  it('are real ones, of which the refusal has an example', async () => {
    for (const until of [
      '2026-02-30',
      '2026-13-01',
      '2026-1-1',
      ' 2026-11-30',
      '9999-12-31',
      'yesterday',
      '',
    ])
      await rejects(
        host.use('demo_when', { until }),
        'INVALID_ARGUMENT',
        /^until: must be an RFC 3339 time, such as 2026-01-31T00:00:00Z, or a day of UTC, such as 2026-01-31$/,
      );
  });
});
