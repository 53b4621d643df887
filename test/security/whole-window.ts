/** Rates are counted in whole minutes: waits until one lasts long enough for a test. */
export async function wholeWindow(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 10_000) await new Promise((resolve) => setTimeout(resolve, left + 50));
}
