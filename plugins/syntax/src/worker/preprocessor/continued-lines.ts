/**
 * A text of C with each backslash that continues a line right before its `\n`: the grammar ends a string where a `\r`
 * stands between.
 */
export function withoutReturns(text: string): string {
  return text.replaceAll('\\\r\n', ' \\\n');
}
