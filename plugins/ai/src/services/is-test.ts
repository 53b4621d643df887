const TEST = /(?:^|[/_.-])(?:tests?|specs?|__tests__|fixtures?)(?:[/_.-]|$)|(?:Tests?|Spec)\.[a-z]+$/u;

/** Is a file a test, by its path? */
export function isTest(path: string): boolean {
  return TEST.test(path);
}
