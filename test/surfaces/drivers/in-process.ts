import { ServiceError } from '@service-mcp/core';
import { use } from '@service-mcp/core/testing';
import type { SurfaceDriver } from './driver.js';

export const inProcess: SurfaceDriver = {
  name: 'in this process',
  unknownTool: 'UNKNOWN_TOOL',
  async open({ host }) {
    return {
      tools: async () => (await host.catalog.tools(host.call())).map(({ name }) => name),
      async call(tool, args) {
        try {
          return { structured: structuredClone(await use(host, tool, args)) };
        } catch (thrown) {
          if (!(thrown instanceof ServiceError)) throw thrown;
          return { error: thrown.body };
        }
      },
      close: () => Promise.resolve(),
    };
  },
};
