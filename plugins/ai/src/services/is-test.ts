import { isTestFile } from '@service-mcp/plugin-syntax/contract';

/** What tests use, beside the files that hold them. */
const SUPPORT = /(?:^|[/_.-])(?:tests?|specs?|fixtures?)(?:[/_.-]|$)/u;

/** Is a file a test, or a part of tests, by its path? */
export function isTest(path: string): boolean {
  return isTestFile(path) || SUPPORT.test(path);
}
