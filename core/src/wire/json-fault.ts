import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

/**
 * The place and kind of the first fault of a JSON text (`line 3, column 5: value expected`), for people who write it by
 * hand; undefined where there is none. `comments`: comments and commas before a closing bracket are not faults.
 */
export function jsonFault(text: string, { comments = false } = {}): string | undefined {
  const errors: ParseError[] = [];
  parse(text, errors, { allowTrailingComma: comments, disallowComments: !comments });
  const [fault] = errors;
  if (!fault) return undefined;
  const before = text.slice(0, fault.offset).split(/\r?\n/);
  const kind = printParseErrorCode(fault.error)
    .replaceAll(/(?<=.)(?=[A-Z])/g, ' ')
    .toLowerCase();
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${kind}`;
}
