// `npm start`: builds what runs, and serves. A stop of npm reaches the shell that it starts, and that shell alone.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PARENT_CHECK_MS = 500;

const shell = process.ppid;
const build = fileURLToPath(new URL('build-product.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [build], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
// A process whose parent ended gets another one; no event tells it.
const check = setInterval(() => {
  if (process.ppid === shell) return;
  clearInterval(check);
  process.kill(process.pid, 'SIGTERM');
}, PARENT_CHECK_MS);
check.unref();
const command = new URL('../transports/cli/bin/service-mcp.js', import.meta.url);
process.argv.splice(1, 1, fileURLToPath(command), 'serve');
await import(command.href);
