import assert from 'node:assert/strict';
import { ERRORS, type ErrorCode } from '@service-mcp/core';
import type { Failure, SurfaceDriver } from './driver.js';

const headers = { 'content-type': 'application/json' };

/** POST /api/v1/tools/:name, GET /api/v1/tools/list. */
export const compatibility: SurfaceDriver = {
  name: 'compatibility routes',
  unknownTool: 'UNKNOWN_TOOL',
  async open({ url }) {
    return {
      async tools() {
        const response = await fetch(`${url}/api/v1/tools/list?toolset=complete`);
        return ((await response.json()) as { tools: { name: string }[] }).tools.map(({ name }) => name);
      },
      async call(name, args) {
        const body = JSON.stringify(args);
        const response = await fetch(`${url}/api/v1/tools/${name}`, { method: 'POST', headers, body });
        const reply = (await response.json()) as {
          error?: Failure;
          structuredContent: Record<string, unknown>;
        };
        if (!reply.error) return { structured: reply.structuredContent };
        assert.equal(response.status, ERRORS[reply.error.code as ErrorCode].http);
        return { error: reply.error };
      },
      close: () => Promise.resolve(),
    };
  },
};
