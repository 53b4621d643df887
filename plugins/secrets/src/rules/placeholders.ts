/** Marks of what stands for a secret: a bracket, a variable, a row of x, dots or asterisks, a word. */
const MARK =
  /<[^<>]{0,100}>|\$\{|\$\(|\{\{|%[A-Z_]{2,40}%|x{4}|X{4}|\*{3}|\.{3}|…|•|0{8}|example|your[_-]|redacted|placeholder|insert[_-]|replace[_-]|dummy/i;

/**
 * Whether a text that has the form of a secret stands for one: `<YOUR_KEY>`, `${TOKEN}`, `ghp_xxxx…`, and the keys of
 * documentation that say EXAMPLE, such as AKIAIOSFODNN7EXAMPLE.
 */
export function isPlaceholder(secret: string): boolean {
  return MARK.test(secret);
}
