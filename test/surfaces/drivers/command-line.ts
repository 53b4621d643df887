import assert from 'node:assert/strict';
import { runBinary, runCommand } from '../../command.js';
import type { Failure, SurfaceDriver } from './driver.js';

/** `service-mcp call … --json` against the running service: the list by the real binary, each call in this process. */
export const commandLine: SurfaceDriver = {
  name: 'command line',
  unknownTool: 'UNKNOWN_TOOL',
  async open({ url }) {
    return {
      async tools() {
        const { code, stdout, stderr } = await runBinary(['tools', '--url', url, '--json']);
        assert.equal(code, 0, stderr);
        return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
      },
      async call(tool, args) {
        const input = JSON.stringify(args);
        const { code, stdout, stderr } = await runCommand(['call', '--url', url, '--json', tool, '-'], {
          input,
        });
        if (code === 0) return { structured: JSON.parse(stdout) as Record<string, unknown> };
        assert.equal(code, 1, stderr);
        assert.equal(stdout, '', 'a failure prints nothing on stdout');
        const { issues, ...error } = (
          JSON.parse(stderr) as { error: Failure & NonNullable<Failure['details']> }
        ).error;
        return { error: { ...error, ...(issues && { details: { issues } }) } };
      },
      close: () => Promise.resolve(),
    };
  },
};
