import { createServer } from 'node:net';

/** Below the ports that systems give to connections, and to servers that ask for any: nobody else takes one meanwhile. */
const FROM = 15_000;
const TO = 32_000;

/** A free port of this machine, for a process that is told its port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FROM + Math.floor(Math.random() * (TO - FROM));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
