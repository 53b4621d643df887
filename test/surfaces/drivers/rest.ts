import assert from 'node:assert/strict';
import { ERRORS, type ErrorCode } from '@service-mcp/core';
import type { Failure, SurfaceDriver } from './driver.js';

interface Operation {
  readonly operationId: string;
  /** The tool, of which it may be a further path. */
  readonly 'x-tool'?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

interface Route {
  readonly method: string;
  readonly path: string;
}

interface Envelope {
  readonly success: boolean;
  readonly data: Record<string, unknown> | null;
  readonly error: Failure | null;
}

/** REST as a client made from /openapi.json would call it: path parameters, then query or body. */
export const rest: SurfaceDriver = {
  name: 'REST',
  unknownTool: 'NOT_FOUND',
  async open({ url }) {
    const routes = await routesAt(url);
    return {
      tools: () => Promise.resolve([...routes.keys()].sort()),
      async call(tool, args) {
        const { method, path } = routes.get(tool) ?? { method: 'POST', path: `/v1/${tool}` };
        const rest: Record<string, unknown> = { ...args };
        const address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
          const value = encodeURIComponent(String(rest[name]));
          delete rest[name];
          return value;
        });
        const hasBody = method === 'POST' || method === 'PATCH';
        const query = hasBody ? '' : `?${new URLSearchParams(rest as Record<string, string>).toString()}`;
        const response = await fetch(`${url}${address}${query}`, {
          method,
          headers: { 'content-type': 'application/json' },
          ...(hasBody && { body: JSON.stringify(rest) }),
        });
        const { success, data, error } = (await response.json()) as Envelope;
        assert.equal(success, response.ok);
        if (data) return { structured: data };
        assert.ok(error);
        assert.equal(response.status, ERRORS[error.code as ErrorCode].http);
        return { error };
      },
      close: () => Promise.resolve(),
    };
  },
};

/** Tool name to route, from the OpenAPI document. */
async function routesAt(url: string): Promise<Map<string, Route>> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const routes = new Map<string, Route>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { operationId, 'x-tool': tool, ...operation }] of Object.entries(operations)) {
      const streams = JSON.stringify(operation).includes('application/x-ndjson'); // which REST alone does
      if (operationId === tool && !streams) routes.set(operationId, { method: method.toUpperCase(), path });
    }
  }
  return routes;
}
