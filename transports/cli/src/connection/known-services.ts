import { isRecord, makeFolder, readJsonText } from '@service-mcp/core/wire';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Failure } from '../failure.js';
import { replaceJsonFile } from '../replace-file.js';
import type { Terminal } from '../terminal/terminal.js';
import { keyAddress } from './address.js';
import { readGuarded } from './guarded-file.js';
import { keptKeysFile, readKeptKeys } from './kept-keys.js';

/** Addresses that the person named or agreed to, beside the file of kept keys: `{"https://…": {"since": "…"}}`. */
const knownFile = () => join(dirname(keptKeysFile(process.env)), 'known-services.json');

async function readKnown(): Promise<Record<string, unknown>> {
  const value = readJsonText((await readGuarded(knownFile()).catch(() => undefined))?.text ?? '{}');
  return isRecord(value) ? value : {};
}

/** Remembers an address that the person named, where that can be written. */
export async function rememberService(url: string): Promise<void> {
  const address = keyAddress(url) ?? url;
  const known = await readKnown();
  if (address in known) return;
  const file = knownFile();
  try {
    makeFolder(dirname(file), 0o700);
    await replaceJsonFile(file, { ...known, [address]: { since: new Date().toISOString() } }, 0o600);
  } catch {
    // Another time, the person is asked again.
  }
}

/**
 * Asks before anything goes to an address that only a file of the folder names, and that neither the kept keys nor an
 * earlier answer know: whoever wrote the folder may want what is in it, or what is asked about it. `yes` answers it.
 * Throws a Failure for no, and where nobody can be asked.
 */
export async function confirmService(url: string, yes: boolean, terminal: Terminal): Promise<void> {
  const address = keyAddress(url) ?? url;
  const { keys } = await readKeptKeys(keptKeysFile(process.env)).catch(() => ({ keys: new Map() }));
  if (keys.has(address) || address in (await readKnown())) return;
  const message = `.service-mcp.json of this folder names the service at ${address}, for which you have no key.`;
  if (!yes && !(await asked(`${message} Use it? [y/N] `, terminal))) {
    throw new Failure(message, {
      next: 'Check where the folder comes from. Then add --yes to use that service, or --url ADDRESS to choose another.',
    });
  }
  await rememberService(url);
}

async function asked(question: string, { json }: Terminal): Promise<boolean> {
  const { stdin, stderr } = process;
  if (json || !stdin.isTTY || !stderr.isTTY) return false;
  const prompt = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(question)).trim());
  } finally {
    prompt.close();
  }
}
