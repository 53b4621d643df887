/** Of languages whose frameworks call tests specs; elsewhere a spec is a specification, as `KeySpec.java`. */
const SPECS = '(?:rb|[cm]?[jt]sx?|coffee|cr|groovy|hs|kts?|lua|php|scala|swift)';
/** A file of tests by the conventions of the twelve languages: its name, or a directory of tests. */
const TEST_FILE = new RegExp(
  [
    '(?:^|/)(?:tests?|__tests__)/',
    `(?:^|/)specs?/.*\\.${SPECS}$`,
    `Spec\\.${SPECS}$`,
    // `a.test.ts`, `a_test.go`, `ATest.java`, `ServerIT.java` but not `COMMIT.c`
    '(?:[._-](?:test|spec)|Tests?|[a-z0-9]IT)\\.[^./]+$',
    '(?:^|/)tests?\\.(?:py|rb|rs|php|[cm]?[jt]sx?)$',
    '(?:^|/)(?:test_[^/]*|conftest)\\.py$',
    '(?:^|/)test[_-][^/]*\\.(?:rb|c|cc|cpp|cxx|[cm]?js)$',
  ].join('|'),
);

/** Whether a file holds tests, by its path. */
export function isTestFile(path: string): boolean {
  return TEST_FILE.test(path);
}
