import { Type } from 'typebox';
import { ServiceError, type ErrorCode } from '../errors.js';
import { closed } from '../schemas.js';
import { defineTool } from '../tool.js';

/** The parts that tools for tests of a transport share. */
export const sampleTool = {
  effect: 'read',
  access: { scope: 'things:read', in: 'deployment' },
  level: 'light',
  uses: {},
} as const;

/** Returns its text and the name of its caller; takes bodies of up to 2,000,000 bytes. */
export const echo = defineTool({
  ...sampleTool,
  name: 'things_echo',
  title: 'Echo a text',
  description: 'Gives the text back.',
  input: Type.Object({ text: Type.String({ maxLength: 2_000_000, description: 'The text.' }) }, closed),
  output: Type.Object(
    { text: Type.String({ description: 'The same.' }), by: Type.String({ description: 'The caller.' }) },
    closed,
  ),
  http: { method: 'POST', path: '/v1/things/echo', bodyLimit: 2_000_000 },
  async handler({ text }, _deps, call) {
    return { text, by: call.caller.name };
  },
});

/** Throws a ServiceError of the code in its arguments, or with "foreign" an error that no caller may read. */
export const fail = defineTool({
  ...sampleTool,
  name: 'things_fail',
  title: 'Fail',
  description: 'Fails with a code.',
  input: Type.Object(
    { code: Type.String({ maxLength: 50, description: 'The code, or "foreign".' }) },
    closed,
  ),
  output: Type.Object({}, closed),
  async handler({ code }) {
    if (code === 'foreign') throw new Error('SELECT secret FROM vault');
    throw new ServiceError(code as ErrorCode, 'Failed as asked. Ask for less.', { details: { asked: code } });
  },
});
