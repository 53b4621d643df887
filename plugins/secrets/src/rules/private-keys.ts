import type { Range, Rule } from './rule.js';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** Headers, then key material; a line end may be the escape of a string literal. */
const BODY = /^\s*(?:[A-Za-z-]{1,30}: [^\n]{0,200}\n)*(?:\\[nr]|[A-Za-z0-9+/=\s])*/;
const MATERIAL = /[A-Za-z0-9+/]{40}/;
/** Of 16,384 bits; the largest in use has half of them. */
const MAX_LENGTH = 32_768;

/** Keys in PEM: PKCS, OpenSSH and PGP, encrypted ones too; of one without its end what follows in base64. */
export const PRIVATE_KEYS: Rule = {
  id: 'private-key',
  *find(text): Iterable<Range> {
    const begins = [...text.matchAll(BEGIN)];
    for (const [i, { 0: header, index: start }] of begins.entries()) {
      const from = start + header.length;
      const rest = text.slice(from, Math.min(begins[i + 1]?.index ?? text.length, from + MAX_LENGTH));
      const end = END.exec(rest);
      const length = end ? end.index + end[0].length : (BODY.exec(rest)?.[0].trimEnd().length ?? 0);
      // A text about keys shows headers without material between them.
      if (MATERIAL.test(rest.slice(0, length))) yield { start, end: from + length };
    }
  },
};
