import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What resolving some 300 files leaves. */
const MAX_HEAP_BYTES = 64 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // as the flag declares it

/**
 * Gives back what a large resolution used. V8 would let the heap grow to four times of what lived at its last collection:
 * to the garbage of several resolutions. Smaller ones are left to it: a collection also drops the machine code that was
 * compiled for objects that died, which the next resolution compiles again.
 */
export function collectGarbage(): void {
  if (getHeapStatistics().used_heap_size > MAX_HEAP_BYTES) collect();
}
