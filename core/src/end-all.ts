/** Runs each in turn; one that throws does not keep the others from it. Throws what the first of these threw. */
export async function endAll(ends: Iterable<() => unknown>): Promise<void> {
  const faults: unknown[] = [];
  for (const end of ends) {
    try {
      await end();
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length > 0) throw faults[0];
}
