/** Requirements for every JWT: HS256 only, claims `sub` and `exp`; clocks may differ by 5 seconds. */
export const JWT_OPTIONS = {
  algorithms: ['HS256'],
  requiredClaims: ['sub', 'exp'],
  clockTolerance: 5,
};

const MIN_BYTES = 32;
const MIN_DISTINCT = 8;
const MIN_UNKNOWN = 12;

/** Words found in placeholders and examples. */
const COMMON_WORDS =
  /your|my|our|the|an?|is|this|in|for|at|least|very|super|please|long|strong|random|secure|secret|shared|change|me|it|now|default|example|sample|test|demo|dev|prod|production|password|passphrase|key|token|jwt|auth|sign|signing|signature|hs256|hmac|string|bits?|bytes?|characters?|chars?|admin|service|mcp|qwerty|uiop|asdf|ghjkl|zxcv|bnm|letmein|welcome|(?:0?1)?234567890?|abcdef(?:ghijklmnopqrstuvwxyz)?|256|512|32|64/g;

/** Core recognizes a BootError by its name and shows its message unchanged. */
class WeakSecret extends Error {
  override readonly name = 'BootError';

  constructor({ key, without }: Setting, problem: string) {
    super(
      `SERVICE_JWT_SECRET (${key}): ${problem}\n  Create one with: openssl rand -base64 48. Or remove it: ${without}.`,
    );
  }
}

/** The key in the deployment file, and the effect of leaving it out. */
interface Setting {
  readonly key: string;
  readonly without: string;
}

/** Throws a BootError for a secret that can be guessed: jose accepts even one byte. */
export function checkJwtSecret(secret: string, setting: Setting): void {
  const bytes = Buffer.byteLength(secret);
  const weak = (problem: string) => new WeakSecret(setting, problem);
  if (bytes < MIN_BYTES) throw weak(`the secret has ${bytes} bytes; it needs ${MIN_BYTES}`);
  if (new Set(secret).size < MIN_DISTINCT || isRepeated(secret))
    throw weak('the secret is a repeated pattern');
  if (isSequence(secret)) throw weak('the secret is a sequence of neighbouring characters');
  if (isMadeOfWords(secret)) throw weak('the secret is a known example or made of common words');
}

/** Is the text a repetition of a shorter one? The last repetition may be cut off. */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= text.length / 2; length++) {
    const unit = text.slice(0, length);
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return true;
  }
  return false;
}

function isSequence(text: string): boolean {
  let steps = 0;
  for (let i = 1; i < text.length; i++)
    if (Math.abs(text.charCodeAt(i) - text.charCodeAt(i - 1)) <= 1) steps += 1;
  return steps > text.length * 0.75;
}

function isMadeOfWords(text: string): boolean {
  const rest = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, ' ')
    .replaceAll(COMMON_WORDS, '')
    .replaceAll(' ', '');
  return rest.length < MIN_UNKNOWN;
}
