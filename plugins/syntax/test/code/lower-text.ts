import assert from 'node:assert/strict';
import type { code, Structure } from '@service-mcp/plugin-syntax/contract';
import { parseInThread } from '@service-mcp/plugin-syntax/contract/thread';

const LIMITS = { timeLimitMs: 20_000, maxBytes: 4 * 1024 * 1024, parseCode: true };

type Lowered = code.Code & Pick<Structure, 'symbols' | 'complete'>;

/** The code of a text, without places: tests compare the rest whole. */
export async function lowerText(path: string, text: string): Promise<Lowered> {
  const { structure } = await parseInThread({ path, text, code: true }, LIMITS);
  assert.ok(structure.code, 'the language has code');
  const { symbols, complete } = structure;
  return { ...without(structure.code, 'start', 'line'), symbols, complete };
}

/** Plain data without these keys. */
export function without<T>(value: T, ...keys: string[]): T {
  const plain = JSON.stringify(value, (key, each: unknown) => (keys.includes(key) ? undefined : each));
  return JSON.parse(plain) as T;
}

/** The members of the first class of a text. */
export async function classMembers(path: string, text: string): Promise<readonly code.Statement[]> {
  const { body } = await lowerText(path, text);
  return membersOf(body.find((each) => each.kind === 'class'));
}

export function membersOf(statement: code.Statement | undefined): readonly code.Statement[] {
  assert.ok(statement?.kind === 'class', 'a class');
  return statement.class.members;
}

/** The statements of the first function of a text. */
export async function functionBody(path: string, text: string): Promise<readonly code.Statement[]> {
  const { body } = await lowerText(path, text);
  return bodyOf(body.find((each) => each.kind === 'function'));
}

export function bodyOf(statement: code.Statement | undefined): readonly code.Statement[] {
  assert.ok(statement?.kind === 'function' && statement.function.body, 'a function with a body');
  return statement.function.body;
}

/** `name`, `+` where other files see it, `test` where it is one: for each symbol of a text. */
export async function symbolMarks(path: string, text: string): Promise<string[]> {
  const { symbols, definitions } = await lowerText(path, text);
  return symbols.map(({ qualifiedName }, at) => {
    const { exported, test } = definitions[at] ?? {};
    return `${qualifiedName}${exported ? '+' : ''}${test ? ' test' : ''}`;
  });
}
