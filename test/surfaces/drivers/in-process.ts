import { ServiceError } from '@service-mcp/core';
import type { SurfaceDriver } from './driver.js';

export const inProcess: SurfaceDriver = {
  name: 'in this process',
  unknownTool: 'UNKNOWN_TOOL',
  async open({ host }) {
    return {
      tools: async () => (await host.catalog.tools(host.call())).map(({ name }) => name),
      async call(tool, args) {
        try {
          const result = await host.catalog.call(tool, structuredClone(args), host.call());
          if (result.kind !== 'complete') throw new Error(`${tool} asks for input`);
          return { structured: structuredClone(result.structured) };
        } catch (thrown) {
          if (!(thrown instanceof ServiceError)) throw thrown;
          return { error: thrown.body };
        }
      },
      close: () => Promise.resolve(),
    };
  },
};
