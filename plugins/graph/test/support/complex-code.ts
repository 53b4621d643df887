/** A file of JavaScript of which the functions in two variables take more steps than the solver grants to its length. */
export const TOO_MANY_STEPS = [
  'let a, b;',
  ...Array.from({ length: 38 }, (_, index) => `function f${index}() {}`),
  'function fill() {',
  ...Array.from({ length: 38 }, (_, index) => `a = f${index};`),
  '}',
  `function spin() { ${'a=b;b=a;'.repeat(15_000)} }`,
  'a();',
].join('\n');
