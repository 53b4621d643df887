import { setImmediate as nextTurn } from 'node:timers/promises';
import { optional, provide, token } from '@service-mcp/core';
import { Secrets, type Redaction } from '@service-mcp/plugin-secrets/contract';
import type { IncomingFile, IngestReport } from '../schemas.js';

type FileRedaction = NonNullable<IngestReport['redacted']>[number];

/** Takes secrets out of what is about to be stored, or refuses it; without the secrets plugin, nothing is changed. */
export interface Screening {
  /** Stores what is left of the input. `redacted` is in the result where something was taken out. */
  store<T extends object, R extends object>(
    input: T,
    write: (input: T) => Promise<R>,
  ): Promise<R & { redacted?: Redaction[] }>;
  /** The texts of a batch as they may be stored, and by path why a file is refused. */
  files(files: readonly IncomingFile[]): Promise<{
    readonly files: readonly IncomingFile[];
    readonly refused: ReadonlyMap<IncomingFile, string>;
    readonly redacted: FileRedaction[];
  }>;
}
export const Screening = token<Screening>('workspaces.Screening');

/** Characters that are screened before other work of this thread has a turn. */
const TURN_LENGTH = 256 * 1024;

export const screening = provide(Screening, {
  uses: { secrets: optional(Secrets) },
  create: ({ secrets }): Screening => ({
    async store(input, write) {
      const { value, redacted } = secrets?.screen(input) ?? { value: input, redacted: [] };
      const record = await write(value);
      return redacted.length === 0 ? record : { ...record, redacted: [...redacted] };
    },
    async files(files) {
      const kept: IncomingFile[] = [];
      const refused = new Map<IncomingFile, string>();
      const redacted: FileRedaction[] = [];
      let length = 0;
      for (const file of files) {
        const { text = file.content, found, isRefused } = screened(secrets, file.content);
        const screenedFile = text === file.content ? file : { ...file, content: text };
        kept.push(screenedFile);
        const [first] = found;
        if (first && isRefused) {
          refused.set(
            screenedFile,
            `the file holds a secret (${first.rule}) in line ${first.line}, and this deployment stores none`,
          );
        } else redacted.push(...perRule(file.path, found));
        length += file.content.length;
        if (length < TURN_LENGTH) continue;
        length = 0;
        await nextTurn();
      }
      return { files: kept, refused, redacted };
    },
  }),
});

function screened(secrets: Secrets | undefined, content: string) {
  const { text, found } = secrets?.screenFile(content) ?? { text: content, found: [] };
  return { text, found, isRefused: text === undefined };
}

/** One entry for each rule, with the first line. */
function perRule(path: string, found: ReadonlyArray<{ rule: string; line: number }>): FileRedaction[] {
  const first = new Map<string, FileRedaction>();
  for (const { rule, line } of found) if (!first.has(rule)) first.set(rule, { path, rule, line });
  return [...first.values()];
}
