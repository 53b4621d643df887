import { isPlaceholder } from './placeholders.js';
import { places, type Range, type Rule } from './rule.js';

const PASSWORD = String.raw`pass(?:word|wd|phrase)|pwd`;
const KEY = String.raw`secret(?:[_-]?key(?:[_-]?base)?)?|(?:api|access|auth|account|signing|encryption|private|master|shared)[_-]?key|(?:auth|access|refresh|bearer|api|session)?[_-]?token|client[_-]?secret|credentials?`;
const NAME = `(?<password>${PASSWORD})|${KEY}`;
/** A value up to a blank, a quote, or the next parameter of an address. */
const VALUE = String.raw`(?<secret>(?:(?!&[\w-]+=)[^\s"'\x60,;\\]){6,300})`;
const SEPARATOR = String.raw`\\?["'\x60]?\s{0,3}(?::=|=>|={1,2}|:)\s{0,3}\\?["'\x60]?`;
const ASSIGNMENT = new RegExp(`(?:${NAME})(?:${SEPARATOR}|(?<=--[\\w-]{1,40})[ ])${VALUE}`, 'dgi');
/** A setting in two properties, as of containers: `{"name": "DB_PASSWORD", "value": "…"}`, `<add key="…" value="…"/>`. */
const NAMED = String.raw`(?<!\w)(?:name|key|variable)${SEPARATOR}[\w.:-]{0,60}(?:${NAME})`;
const VALUED = String.raw`(?<!\w)value${SEPARATOR}${VALUE}`;
const BETWEEN = String.raw`\\?["'\x60]?[,;\s]{1,40}\\?["'\x60]?`;
const NAMED_VALUE = new RegExp(`${NAMED}${BETWEEN}${VALUED}`, 'dgi');
const VALUE_NAMED = new RegExp(`${VALUED}${BETWEEN}${NAMED}`, 'dgi');
const ENDS_WITH_NAME = new RegExp(`(?:${NAME})$`, 'i');
const AUTHORIZATION =
  /authorization\\?["'`]?\s{0,3}[:=,]\s{0,3}\\?["'`]?(?:bearer|basic|token)[ ]{1,3}(?<secret>[\w.~+/-]{8,2000}={0,2})/dgi;

/** Code that reads a secret from elsewhere, an address, a file, a digest, an id, a name. */
const NOT_A_VALUE = [
  /^[$@%(){}[\]<>/.~!&|*-]/,
  /[(){}[\]<>]/,
  /^[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)+$/,
  /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/,
  /:\/\/|^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/,
  /^(?:sha\d+|md5|argon2\w*|env|file|vault|op|arn)[-:$]/i,
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  /^v?\d+(?:[.:/-]\d+)*[a-z]{0,2}$/i,
];

/** Values of settings that are named like a secret, and of Authorization headers, where they look made or random. */
export const ASSIGNED_SECRETS: Rule = {
  id: 'assigned-secret',
  *find(text): Iterable<Range> {
    for (const pattern of [ASSIGNMENT, NAMED_VALUE, VALUE_NAMED])
      for (const { index, indices, groups } of text.matchAll(pattern)) {
        const [start, end] = trimmed(text, indices?.groups?.['secret'] ?? [index, index]);
        if (isSecretValue(text.slice(start, end), groups?.['password'] !== undefined)) yield { start, end };
      }
    for (const { start, end } of places(AUTHORIZATION, text))
      if (isCredential(text.slice(start, end))) yield { start, end };
  },
};

/** Whether a value is a secret because its property is named like one. */
export function isSecretProperty(name: string, value: string): boolean {
  const named = ENDS_WITH_NAME.exec(name);
  return (
    named !== null && !/\s/.test(value) && isSecretValue(value, named.groups?.['password'] !== undefined)
  );
}

/** Without the end of the sentence or bracket around it. */
function trimmed(text: string, [start, end]: readonly [number, number]): [number, number] {
  let last = end;
  while (last > start && '.)]}>:'.includes(text.charAt(last - 1))) last--;
  return [start, last];
}

function isSecretValue(value: string, isPassword: boolean): boolean {
  if (isPlaceholder(value) || NOT_A_VALUE.some((pattern) => pattern.test(value))) return false;
  const [lower, upper, digit, other] = [/[a-z]/, /[A-Z]/, /\d/, /[^\w.-]/].map((kind) => kind.test(value));
  const kinds = [lower, upper, digit, other].filter(Boolean).length;
  if (isPassword) return kinds >= 3 || (digit === true && (lower === true || upper === true));
  if (value.length < 10) return false;
  return kinds >= 3 ? value.length >= 12 || other === true : switches(value) >= 4;
}

/** How often digits and letters take turns: rarely in words and versions, often in what is random. */
function switches(value: string): number {
  return value.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
}

function isCredential(value: string): boolean {
  return !isPlaceholder(value) && /\d|^[^a-z]*[a-z].*[A-Z]|=$/.test(value);
}
