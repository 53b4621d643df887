/** Nodes of code as a test expects them, without places. */
export const name = (text: string) => ({ kind: 'name', name: text });
export const member = (object: unknown, text: string) => ({ kind: 'member', object, name: text });
export const call = (callee: unknown, ...values: unknown[]) => ({
  kind: 'call',
  callee,
  arguments: values.map((value) => ({ value })),
});
export const operation = (operator: string, of: readonly unknown[]) => ({
  kind: 'operation',
  of,
  operator: { name: operator },
});
export const evaluate = (value: unknown) => ({ kind: 'evaluate', value });
export const declare = (text: string, value: unknown) => ({ kind: 'declare', name: text, value });
export const number = (text: string) => ({ kind: 'literal', type: 'number', text });
export const string = (text: string) => ({ kind: 'literal', type: 'string', text });
export const type = (...path: string[]) => ({ kind: 'named', path });
