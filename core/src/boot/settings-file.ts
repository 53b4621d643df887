import { readFile } from 'node:fs/promises';
import { withoutByteOrderMark } from '../wire/json-text.js';
import { jsonFault } from '../wire/json-fault.js';
import { BootError } from './boot-error.js';

/** Reads a file of settings: a JSON object. Throws BootError. */
export async function readSettingsFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  let text: string;
  try {
    text = withoutByteOrderMark(await readFile(path, 'utf8'));
  } catch (error) {
    throw new BootError(
      `deployment file ${path}`,
      'it cannot be read',
      'Check the path given with --config or SERVICE_CONFIG.',
      error,
    );
  }
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw new BootError(
      `deployment file ${path}`,
      `it is not JSON: ${jsonFault(text) ?? 'the text is damaged'}`,
      'Fix the file.',
      error,
    );
  }
  if (typeof file !== 'object' || file === null || Array.isArray(file)) {
    throw new BootError(
      `deployment file ${path}`,
      'it is not an object',
      'Write { "plugins": […], "transports": […] }.',
    );
  }
  return file as Record<string, unknown>;
}
