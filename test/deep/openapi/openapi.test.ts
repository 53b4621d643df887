import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startHosted, type Hosted } from '../../security/start-hosted.js';
import { createTenantFixture, type TenantRecords } from '../../security/tenant-fixtures.js';
import type { Known } from './arbitraries.js';
import { Document, type Place } from './document.js';
import { requestsOf, type FuzzRequest } from './requests.js';

const REQUESTS = 3000;
const TIMEOUT_MS = 10_000;
/** Of the requests, and of their order: FUZZ_SEED tries others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

describe(`OpenAPI: ${REQUESTS} requests, FUZZ_SEED=${SEED}`, () => {
  let service: Hosted;
  before(async () => {
    service = await startHosted();
  });
  after(() => service.stop());

  it('get documented statuses alone, no 5xx, and answers that their schemas admit', async () => {
    const tenant = await service.tenant('acme');
    const stranger = await service.person('stranger');
    const lasting = await createTenantFixture(service, tenant).makeAll();
    const spare = await createTenantFixture(service, tenant).makeAll();
    const { owner, viewer, member } = tenant.people;
    const credentials = [owner, viewer, member, stranger].map(({ key }) => key);
    const document = new Document(
      (await (await fetch(`${service.local}/openapi.json`)).json()) as Record<string, unknown>,
    );
    const each = Math.ceil(REQUESTS / document.operations.length);
    const faults: string[] = [];
    const statuses = new Map<number, number>();
    for (const [index, place] of document.operations.entries()) {
      // What is deleted is not there for the next requests.
      const known = knownOf(place.operation['x-effect'] === 'delete' ? spare : lasting);
      const requests = requestsOf(document, place, known, credentials);
      for (const request of fc.sample(requests, { seed: SEED + index, numRuns: each })) {
        const { status, fault } = await send(service.local, document, place, request);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (fault !== undefined) faults.push(`${place.operation.operationId}: ${fault}\n  ${shown(request)}`);
      }
    }
    assert.deepEqual(faults.slice(0, 20), []);
    // A fuzz whose requests all fail shows nothing.
    assert.ok((statuses.get(200) ?? 0) > REQUESTS / 10, JSON.stringify([...statuses]));
  });
});

function knownOf({ ids, lists }: TenantRecords): Known {
  const single = Object.entries(ids).map(([name, id]) => [name, [id]] as const);
  return {
    ...Object.fromEntries(single),
    ids: [lists['ids'] ?? []],
    query: ['sample', 'canary'],
    path: ['src/sample.ts'],
    method: ['tools/list', 'tools/call', 'initialize', 'ping', 'notifications/cancelled', 'resources/list'],
    name: ['help', 'search_keyword', 'projects_list'],
  };
}

/** The status of the answer, and what is wrong with it. */
async function send(
  url: string,
  document: Document,
  place: Place,
  { path, method, headers, body }: FuzzRequest,
): Promise<{ status: number; fault: string | undefined }> {
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), TIMEOUT_MS);
  try {
    const init = { method, headers, redirect: 'manual', signal: ended.signal } as const;
    const answer = await fetch(`${url}${path}`, body === undefined ? init : { ...init, body });
    const { status } = answer;
    const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
    const text = type === 'text/event-stream' ? undefined : await answer.text();
    await answer.body?.cancel().catch(() => undefined);
    if (status >= 500) return { status, fault: `status ${status}: ${text?.slice(0, 300)}` };
    const fault = document.faultOf(place, status, type, text);
    return { status, fault: fault && `${fault}; it was ${text?.slice(0, 300)}` };
  } catch (error) {
    return { status: 0, fault: `no answer: ${String(error)}` };
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

const shown = ({ method, path, headers, body = '' }: FuzzRequest) =>
  `${method} ${path.slice(0, 300)} ${JSON.stringify({ ...headers, 'x-service-api-key': undefined })} ${body.slice(0, 500)}`;
