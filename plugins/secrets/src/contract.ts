import { token, closedAs } from '@service-mcp/core';
import { Type, type Static } from 'typebox';

/** A secret in a text, by UTF-16 offsets; `end` is exclusive. */
export interface Finding {
  /** `github`, `private-key`, `url-password`: the provider of the secret, or its kind. */
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

const Redaction = Type.Object(
  {
    field: Type.String({ description: 'Argument that held it: content, tags.0, metadata.deploy.token' }),
    rule: Type.String({ description: 'What it was: github, private-key, url-password' }),
  },
  closedAs('Redaction'),
);
/** A secret that was taken out of an argument. */
export type Redaction = Static<typeof Redaction>;
/** The field of an output that tells what was taken out; absent where nothing was. */
export const redactedField = {
  redacted: Type.Optional(
    Type.Array(Redaction, { description: 'Secrets that were taken out before it was stored' }),
  ),
};

/** A value that may be stored. */
export interface Screened<T> {
  readonly value: T;
  /** Empty where nothing was taken out. */
  readonly redacted: readonly Redaction[];
}

/** A text of a file that may be stored, or must not be. */
export interface ScreenedFile {
  /** Undefined: the policy refuses the file. */
  readonly text: string | undefined;
  /** In order, by line from 1; empty where the text was kept as it is. */
  readonly found: ReadonlyArray<{ readonly rule: string; readonly line: number }>;
}

/**
 * Finds keys, tokens, private keys and passwords. Synchronous and linear in the length of a text, whatever it holds:
 * about a millisecond for 100 kB.
 */
export interface Secrets {
  /** In order, without overlaps. Placeholders, such as `<YOUR_KEY>`, are not secrets. */
  find(text: string): readonly Finding[];
  /**
   * The text with `[redacted]` in the place of each secret, or with `***` where that would be longer. It never grows, and
   * nothing is found in it again.
   */
  redact(text: string): { readonly text: string; readonly found: readonly Finding[] };
  /**
   * Applies the policy of the deployment to every string of a JSON value, names of properties included: redacts, throws
   * INVALID_ARGUMENT with the rule, field and position of the first secret, or keeps the value as it is. A string counts
   * as a secret too where its property is named like one (`password`). Credentials of this service are redacted even
   * where the policy keeps secrets.
   */
  screen<T>(value: T): Screened<T>;
  /**
   * Applies the policy for files to a text. Where nothing is found, it is the same text. A secret over several lines
   * leaves its line breaks, so that the numbers of lines stay.
   */
  screenFile(text: string): ScreenedFile;
}
export const Secrets = token<Secrets>('secrets.Secrets');
