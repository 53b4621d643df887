const LEAST_BYTES = 32;
const LEAST_DISTINCT = 8;
const LEAST_UNKNOWN = 12;

/** What placeholders and examples are made of. */
const WORDS =
  /your|my|our|the|an?|is|this|in|for|at|least|very|super|please|long|strong|random|secure|secret|shared|change|me|it|now|default|example|sample|test|demo|dev|prod|production|password|passphrase|key|token|jwt|auth|sign|signing|signature|hs256|hmac|string|bits?|bytes?|characters?|chars?|admin|service|mcp|qwerty|uiop|asdf|ghjkl|zxcv|bnm|letmein|welcome|(?:0?1)?234567890?|abcdef(?:ghijklmnopqrstuvwxyz)?|256|512|32|64/g;

/** A deployment that must not start; core knows it by its name and shows it as it is. */
class WeakSecret extends Error {
  override readonly name = 'BootError';

  constructor({ key, without }: Setting, problem: string) {
    super(
      `SERVICE_JWT_SECRET (${key}): ${problem}\n  Make one with: openssl rand -base64 48. Or leave it out: ${without}.`,
    );
  }
}

/** Where the secret is set: the key in the deployment file, and what happens where it is left out. */
interface Setting {
  readonly key: string;
  readonly without: string;
}

/** Refuses a secret that could be guessed: HS256 is as strong as it, and jose takes one byte. Throws a BootError. */
export function checkJwtSecret(secret: string, setting: Setting): void {
  const bytes = Buffer.byteLength(secret);
  const refuse = (problem: string) => new WeakSecret(setting, problem);
  if (bytes < LEAST_BYTES) throw refuse(`the secret has ${bytes} bytes, and needs ${LEAST_BYTES}`);
  if (new Set(secret).size < LEAST_DISTINCT || isRepeated(secret))
    throw refuse('the secret is a repeated pattern');
  if (isRun(secret)) throw refuse('the secret is a run of neighbouring characters');
  if (isMadeOfWords(secret)) throw refuse('the secret is a known example or made of common words');
}

/** Is it one shorter text again and again, the last time perhaps cut off? */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= text.length / 2; length++) {
    const unit = text.slice(0, length);
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return true;
  }
  return false;
}

function isRun(text: string): boolean {
  let steps = 0;
  for (let i = 1; i < text.length; i++)
    if (Math.abs(text.charCodeAt(i) - text.charCodeAt(i - 1)) <= 1) steps += 1;
  return steps > text.length * 0.75;
}

function isMadeOfWords(text: string): boolean {
  const rest = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, ' ')
    .replaceAll(WORDS, '')
    .replaceAll(' ', '');
  return rest.length < LEAST_UNKNOWN;
}
