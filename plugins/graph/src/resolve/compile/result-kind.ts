import type { code } from '@service-mcp/plugin-syntax/contract';

/** What a function gives as its text says; `either` where it gives what may be nothing. */
export type ResultKind = 'value' | 'nothing' | 'either';

/** Values that are also statements: `() -> save()` may give what `save` does, or nothing. */
const STATEMENTS: ReadonlySet<code.Expression['kind']> = new Set([
  'call',
  'assign',
  'block',
  'await',
  'choice',
]);

export function resultKind(body: readonly code.Statement[]): ResultKind {
  // What ends with an exception fits both: an exception is evaluated as any new object.
  const last = body.at(-1);
  if (last?.kind === 'evaluate' && last.value.kind === 'call' && last.value.constructs) return 'either';
  const statements = [...body];
  let gives = false;
  for (const each of statements) {
    if (each.kind === 'block') statements.push(...each.body);
    else if (each.kind === 'branch') statements.push(...each.arms.flat());
    else if (each.kind === 'return') {
      if (!STATEMENTS.has(each.value.kind)) return 'value';
      gives = true;
    }
  }
  return gives ? 'either' : 'nothing';
}
