/** Memory of a service and of its child process, in MiB. */
export interface MemorySample {
  /** In minutes from the start of a run. */
  readonly at: number;
  readonly resident: number;
  /** Used by the heap of JavaScript. */
  readonly heap: number;
  /** 0 where no child process runs. */
  readonly child: number;
}

const MEBIBYTE = 2 ** 20;

/** Reads `/metrics` of the service on a port of this machine. */
export async function sampleMemory(port: number, at: number): Promise<MemorySample> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0) / MEBIBYTE;
  return {
    at,
    resident: read('process_resident_memory_bytes'),
    heap: read('nodejs_heap_size_used_bytes'),
    child: read('service_mcp_worker_memory_bytes'),
  };
}
