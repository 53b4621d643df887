const SECRET_NAME = /password|secret|token|authorization|api[_-]?key|cookie|jwt/i;
const SECRET_PARAMETER = /([?&](?:[\w-]*(?:token|secret|key|password)|code|state)=)[^&#\s"]+/gi;
const WORD = /[^\s"']+/g;
/** What stands before the password in an address: `postgres://name:password@host`. */
const BEFORE_PASSWORD = /:\/\/[^/:@]*:/;
/** A key or token of this service, anywhere in a text: recognised by its prefix. */
const SECRET_TEXT = /\b(svc_[a-z]+_)[\w-]{10,}/g;
/** Fields of a database error that contain rows or the statement. */
const CONTENTS = ['detail', 'where', 'hint', 'internalQuery', 'query', 'parameters', 'bindings'];
const CENSORED = '••••';
const MAX_DEPTH = 12;
/** A message of a library may hold a whole query, and a field a path, with texts of users. */
const MAX_TEXT = 500;
/** Of a text that is cut, since a message of the database has its reason after the statement. */
const MAX_END = 120;

/** The same fields with secrets censored by name, at any depth, and the parameters and passwords of addresses scrubbed. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(scrub(value));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth > MAX_DEPTH) return '[deeper]';
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name,
      SECRET_NAME.test(name) && held !== null && held !== undefined ? CENSORED : redact(held, depth + 1),
    ]),
  );
}

/** The output of pino's own serialiser for an error, redacted and without database rows. */
function redactError(error: Error, depth: number): unknown {
  const { name, message, stack, cause, ...rest } = error as Error & Record<string, unknown>;
  for (const content of CONTENTS) delete rest[content];
  return {
    type: name,
    message: redact(message, depth + 1),
    stack: framesOf(stack, message),
    ...(cause !== undefined && { cause: redact(cause, depth + 1) }),
    ...(redact(rest, depth + 1) as object),
  };
}

function scrub(text: string): string {
  return text
    .replaceAll(SECRET_PARAMETER, `$1${CENSORED}`)
    .replaceAll(WORD, withoutPassword)
    .replaceAll(SECRET_TEXT, `$1${CENSORED}`);
}

/** The password of an address may hold what it should have escaped: it ends at the last `@`. */
function withoutPassword(word: string): string {
  const before = BEFORE_PASSWORD.exec(word);
  const from = before ? before.index + before[0].length : -1;
  const end = word.lastIndexOf('@');
  return before && end > from ? word.slice(0, from) + CENSORED + word.slice(end) : word;
}

const cut = (text: string) =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - MAX_END)}… (cut) …${text.slice(-MAX_END)}` : text;

/** The places of a stack; it begins with the message, which is logged by itself and may have lines like these. */
function framesOf(stack: string | undefined, message: string): string | undefined {
  const places = stack?.replace(message, '').match(/^ {4}at .*$/gm) ?? undefined;
  return places && scrub(places.join('\n'));
}
