/** Each names itself after the ones below it too. */
const BROWSERS = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(Headless)?Chrom(e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** `Firefox on Linux`: the name of a login by which its owner knows it again. Never a text that the client wrote. */
export function browserName(userAgent: string): string {
  const find = (known: ReadonlyArray<readonly [RegExp, string]>) =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = find(SYSTEMS);
  return `${find(BROWSERS) ?? 'Browser'}${system === undefined ? '' : ` on ${system}`}`;
}
