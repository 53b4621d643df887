import fc, { type Arbitrary } from 'fast-check';
import { almost, hostile, valid, type Known } from './arbitraries.js';
import type { Document, Place } from './document.js';

export interface FuzzRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Requests of one operation: that its schemas admit, that they almost admit, and hostile ones. */
export function requestsOf(
  document: Document,
  place: Place,
  known: Known,
  credentials: readonly string[],
): Arbitrary<FuzzRequest> {
  const { parameters = [], requestBody } = place.operation;
  const [type = '', { schema = {} } = {}] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const given = fc.record(
    Object.fromEntries(
      parameters.map(({ name, schema: own }) => [name, valid(document, own, known, name)] as const),
    ),
    {
      requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name),
      noNullPrototype: true,
    },
  );
  const body = requestBody ? bodiesOf(document, type, schema, known) : fc.constant(undefined);
  const parts = fc.record({
    given: fc.oneof({ weight: 3, arbitrary: given }, { weight: 1, arbitrary: almost(given) }),
    body,
    credential: fc.oneof(
      { weight: 6, arbitrary: fc.constant(credentials[0]) },
      fc.constantFrom(...credentials, 'none', 'x y'),
    ),
    type: fc.oneof(
      { weight: 20, arbitrary: fc.constant(type) },
      fc.constantFrom('text/plain', 'application/xml', ''),
    ),
    extra: fc.oneof({ weight: 12, arbitrary: fc.constant({}) }, EXTRA_HEADERS),
  });
  return parts.map(({ given: values, body: text, credential = 'none', type: contentType, extra }) => {
    const headers: Record<string, string> = { ...extra };
    if (credential !== 'none') headers['x-service-api-key'] = credential;
    if (text !== undefined && contentType !== '') headers['content-type'] = contentType;
    const query = new URLSearchParams();
    let { path } = place;
    for (const [name, value] of Object.entries(values)) {
      const where = parameters.find((each) => each.name === name)?.in ?? 'query';
      if (where === 'path') continue;
      if (where === 'header')
        headers[name] = textOf(value)
          .replaceAll(/[^\x20-\x7e]/g, '')
          .slice(0, 200);
      else for (const each of [value].flat()) query.append(name, textOf(each).slice(0, 1500));
    }
    path = path.replaceAll(
      /\{(\w+)\}/g,
      (_all, name: string) => encodeURIComponent(textOf(values[name] ?? 'x').slice(0, 500)) || 'x',
    );
    return {
      path: query.size > 0 ? `${path}?${query}` : path,
      method: place.method.toUpperCase(),
      headers,
      ...(text !== undefined && { body: text }),
    };
  });
}

const EXTRA_HEADERS: Arbitrary<Readonly<Record<string, string>>> = fc.constantFrom(
  { 'idempotency-key': 'one' },
  { 'idempotency-key': 'two words' },
  { 'x-service-toolset': 'light' },
  { 'x-service-toolset': 'no such toolset' },
  { 'x-service-readonly': 'true' },
  { 'x-request-id': '\t!' },
  { accept: 'text/event-stream' },
  { accept: 'image/png' },
  { origin: 'https://example.org' },
  { 'mcp-protocol-version': '2026-07-28' },
  { 'mcp-session-id': 'none' },
);

function bodiesOf(
  document: Document,
  type: string,
  schema: object,
  known: Known,
): Arbitrary<string | undefined> {
  const json = (value: unknown) => JSON.stringify(value) ?? 'null';
  if (type !== 'application/json')
    return fc.array(hostile, { maxLength: 4 }).map((lines) => lines.map(json).join('\n'));
  const made = valid(document, schema as Readonly<Record<string, unknown>>, known) as Arbitrary<
    Record<string, unknown>
  >; // bodies are objects
  return fc.oneof(
    { weight: 6, arbitrary: made.map(json) },
    { weight: 4, arbitrary: almost(made).map(json) },
    { weight: 1, arbitrary: hostile.map(json) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('{', '[1,]', '\ufeff{}', '{"a":1}{', 'x'.repeat(70_000), undefined),
    },
  );
}

/** As a client writes a value into an address; broken Unicode is replaced, as it cannot be written there. */
function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();
}
