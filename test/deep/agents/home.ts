import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BINARY } from '../../command.js';

/** The home of one person, with `service-mcp` on the PATH and a browser that writes down the address that it is to open. */
export interface Home {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  /** Groups of processes to end with it. */
  readonly groups: Set<number>;
  /** Writes a file of it, `~/` or not. */
  write(file: string, text: string): Promise<void>;
  /** The address that a program opened in the browser, once it did. */
  opened(signal: AbortSignal): Promise<string>;
  remove(): Promise<void>;
}

/** `configHome` has the keys that are kept for services, `variables` go to the environment of every program. */
export async function makeHome(
  configHome: string,
  variables: Readonly<Record<string, string>>,
): Promise<Home> {
  const path = await mkdtemp(join(tmpdir(), 'service-mcp-home-'));
  const bin = join(path, 'bin');
  const [browser, address] = [join(bin, 'browser'), join(path, 'address')];
  const write: Home['write'] = async (file, text) => {
    const target = join(path, file.replace(/^~\//, ''));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  };
  await write('bin/browser', `#!/bin/sh\nprintf %s "$1" > ${address}.new && mv ${address}.new ${address}\n`);
  await chmod(browser, 0o755);
  // Programs look for one of these where they do not read BROWSER.
  for (const name of ['xdg-open', 'open']) await symlink(browser, join(bin, name));
  await symlink(BINARY, join(bin, 'service-mcp'));
  await cp(configHome, join(path, '.config'), { recursive: true });
  const groups = new Set<number>();
  return {
    path,
    groups,
    env: {
      HOME: path,
      XDG_CONFIG_HOME: join(path, '.config'),
      PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
      BROWSER: browser,
      NO_COLOR: '1',
      ...variables,
    },
    write,
    async opened(signal) {
      for (;;) {
        const text = await readFile(address, 'utf8').catch(() => '');
        if (text !== '') return text;
        await delay(50, undefined, { signal });
      }
    },
    async remove() {
      for (const group of groups) process.kill(-group, 'SIGKILL');
      await rm(path, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
