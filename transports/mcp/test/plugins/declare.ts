import { Type, type Static, type TObject } from 'typebox';
import {
  defineTool,
  type AdmittedCall,
  type Content,
  type InputRequired,
  type Tool,
} from '@service-mcp/core';

export const closed = { additionalProperties: false } as const;
export const access = { scope: 'things:read', in: 'deployment' } as const;
export const empty = Type.Object({}, closed);

export const described = (description: string) => ({ description });

/** A tool that reads, shown by default. */
export function reads<I extends TObject, O extends TObject>(
  name: string,
  input: I,
  output: O,
  handler: (input: Static<I>, call: AdmittedCall) => Promise<Static<O> | Content<Static<O>> | InputRequired>,
  text?: (output: Static<O>, input: Static<I>) => string,
): Tool {
  return defineTool({
    name,
    title: name,
    description: `${name}.`,
    input,
    output,
    effect: 'read',
    level: 'light',
    access,
    ...(text && { text }),
    uses: {},
    handler: (given, _deps, call) => handler(given, call),
  });
}
