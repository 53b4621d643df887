import { Type, type Static, type TObject } from 'typebox';
import {
  content,
  defineTool,
  type AdmittedCall,
  type ContentBlock,
  type InputRequired,
  type Tool,
} from '@service-mcp/core';

export const closed = { additionalProperties: false } as const;
export const access = { scope: 'test:read', in: 'deployment' } as const;

/** The output of every tool here: the suite reads the blocks, and this service always adds data. */
export const Said = Type.Object({ said: Type.String({ description: 'What the tool says.' }) }, closed);
export type Said = ReturnType<typeof say>;

/** A result of one text. */
export function say(text: string, ...blocks: readonly ContentBlock[]) {
  return content({ said: text }, [{ type: 'text', text }, ...blocks]);
}

/** A tool without arguments that the suite calls by its name. */
export function tool(
  name: string,
  description: string,
  handler: (call: AdmittedCall) => Promise<Said | InputRequired>,
): Tool {
  return toolWith(name, description, Type.Object({}, closed), (_input, call) => handler(call));
}

export function toolWith<I extends TObject>(
  name: string,
  description: string,
  input: I,
  handler: (input: Static<I>, call: AdmittedCall) => Promise<Said | InputRequired>,
): Tool {
  return defineTool({
    name,
    title: name.replaceAll('_', ' '),
    description,
    input,
    output: Said,
    effect: 'read',
    level: 'light',
    access,
    uses: {},
    handler: (given, _deps, call) => handler(given, call),
  });
}

/** One red pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** A wave file without samples. */
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';
