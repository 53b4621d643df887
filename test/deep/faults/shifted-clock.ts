/**
 * Loaded before a program (`node --import`): moves its clock, in every thread, by the milliseconds in the file that
 * `CLOCK_SHIFT_FILE` names, within a few of them after the file changes.
 */
import { readFileSync } from 'node:fs';

const READ_EVERY_MS = 20;
const file = process.env['CLOCK_SHIFT_FILE'] ?? '';
const RealDate = Date;
let shift = 0;

function read(): void {
  shift = Number(readFileSync(file, 'utf8'));
}
const now = () => RealDate.now() + shift;

read();
setInterval(read, READ_EVERY_MS).unref();
globalThis.Date = new Proxy(RealDate, {
  get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
  apply: () => new RealDate(now()).toString(),
});
