import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { isIP, Socket } from 'node:net';

/**
 * A line of the file in `RECORD_CONNECTIONS`. `start`: a process or thread has loaded this module; `local`: a socket of the
 * file system; `name`: the name service is asked.
 */
export interface Recorded {
  readonly kind: 'start' | 'tcp' | 'local' | 'udp' | 'name';
  readonly to: string;
  readonly pid: number;
}

const file = process.env['RECORD_CONNECTIONS'];

function record(kind: Recorded['kind'], to: string): void {
  const line: Recorded = { kind, to, pid: process.pid };
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** Has `method` of `target` say where it goes before it goes there. */
function watch(target: object, method: string, tell: (args: readonly unknown[]) => void): void {
  const original: unknown = Reflect.get(target, method);
  if (typeof original !== 'function') return;
  Reflect.set(target, method, function (this: unknown, ...args: unknown[]): unknown {
    tell(args);
    return Reflect.apply(original, this, args);
  });
}

// Preloaded (`--import`) into a service, its threads and its child process: fetch, http, tls and pg all end in these.
watch(Socket.prototype, 'connect', ([first, host]) => {
  const options: unknown = Array.isArray(first) ? first[0] : first; // as net.connect passes them on
  if (typeof options === 'string') return record('local', options);
  if (typeof options === 'number')
    return record('tcp', `${typeof host === 'string' ? host : 'localhost'}:${options}`);
  const { path, host: to = 'localhost', port } = options as { path?: string; host?: string; port?: number }; // of net
  if (path) record('local', path);
  else record('tcp', `${to}:${String(port)}`);
});
const udp = Object.getPrototypeOf(createSocket('udp4').unref().close()) as UdpSocket; // the class is not exported as one
for (const method of ['send', 'connect']) watch(udp, method, (args) => record('udp', String(args.slice(1))));
for (const asked of [dns, dns.promises])
  for (const method of Object.keys(asked).filter((name) => /^(?:lookup|resolve|reverse)/u.test(name)))
    watch(asked, method, ([name]) => {
      if (isIP(String(name)) === 0) record('name', String(name)); // else nobody is asked
    });
record('start', '');
