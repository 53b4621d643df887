import { invalidArgument } from '@service-mcp/core';
import type { Settings } from '../config.js';
import type { Finding, Redaction, ScreenedFile, Secrets } from '../contract.js';
import { ASSIGNED_SECRETS, isSecretProperty } from '../rules/assigned-secrets.js';
import { KNOWN_FORMATS } from '../rules/formats.js';
import { isPlaceholder } from '../rules/placeholders.js';
import { PRIVATE_KEYS } from '../rules/private-keys.js';
import type { Rule } from '../rules/rule.js';
import { SERVICE_CREDENTIALS } from '../rules/service-credentials.js';
import { URL_PASSWORDS } from '../rules/url-passwords.js';

/** The more exact first: of findings that overlap the first rule names them all, and of those that start together it alone counts. */
const EXACT: readonly Rule[] = [SERVICE_CREDENTIALS, PRIVATE_KEYS, ...KNOWN_FORMATS];
const RULES: readonly Rule[] = [...EXACT, URL_PASSWORDS, ASSIGNED_SECRETS];
/** What is never stored: with a key of this service, its reader would be the person. */
const OWN: readonly Rule[] = [SERVICE_CREDENTIALS];
const MARK = '[redacted]';
const SHORT_MARK = '***';

export function openSecrets(settings: Settings): Secrets {
  const { policy, file_policy: filePolicy } = settings;
  const fileRules = filePolicy === 'keep' ? OWN : settings.file_rules === 'all' ? RULES : EXACT;
  return {
    find: (text) => find(text, RULES),
    redact: (text) => redact(text, RULES),
    screenFile: (text) => screenFile(text, fileRules, filePolicy === 'refuse'),
    screen(value) {
      const rules = policy === 'keep' ? OWN : RULES;
      const redacted = new Map<string, Redaction>();
      const screened = screen(value, [], rules, (path, finding) => {
        if (policy === 'refuse') throw refused(path, finding);
        const redaction = { field: path.join('.'), rule: finding.rule };
        redacted.set(JSON.stringify(redaction), redaction);
      });
      return { value: screened as typeof value, redacted: [...redacted.values()] }; // of the same shape
    },
  };
}

function find(text: string, rules: readonly Rule[]): Finding[] {
  const found = rules
    .flatMap(({ id: rule, find: search }, order) =>
      [...search(text)]
        .filter(({ start, end }) => rule === PRIVATE_KEYS.id || !isPlaceholder(text.slice(start, end)))
        .map((place) => ({ rule, order, ...place })),
    )
    .sort((a, b) => a.start - b.start || a.order - b.order);
  const merged: typeof found = [];
  for (const next of found) {
    const last = merged.at(-1);
    if (!last || next.start >= last.end) merged.push(next);
    else if (next.start > last.start) {
      const first = next.order < last.order ? next : last;
      merged[merged.length - 1] = { ...first, start: last.start, end: Math.max(last.end, next.end) };
    }
  }
  return merged.map(({ rule, start, end }) => ({ rule, start, end }));
}

function screenFile(text: string, rules: readonly Rule[], refuses: boolean): ScreenedFile {
  const { text: redacted, found } = redact(text, rules, (secret) => secret.replaceAll(/[^\r\n]+/g, ''));
  if (found.length === 0) return { text, found: [] };
  let [line, at] = [1, 0];
  const lines = found.map(({ rule, start }) => {
    line += text.slice(at, start).split('\n').length - 1;
    at = start;
    return { rule, line };
  });
  return { text: refuses ? undefined : redacted, found: lines };
}

/** `kept`: what stays of a secret behind the mark. */
function redact(
  text: string,
  rules: readonly Rule[],
  kept: (secret: string) => string = () => '',
): { text: string; found: readonly Finding[] } {
  const found = find(text, rules);
  if (found.length === 0) return { text, found };
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of found) {
    parts.push(text.slice(at, start), markFor(end - start), kept(text.slice(start, end)));
    at = end;
  }
  return { text: parts.join('') + text.slice(at), found };
}

type Report = (path: readonly string[], finding: Finding) => void;

/** A copy of a JSON value without secrets, which are reported. */
function screen(value: unknown, path: readonly string[], rules: readonly Rule[], report: Report): unknown {
  if (typeof value === 'string') {
    if (rules === OWN || !isSecretProperty(path.at(-1) ?? '', value))
      return screenText(value, path, rules, report);
    report(path, { rule: ASSIGNED_SECRETS.id, start: 0, end: value.length });
    return markFor(value.length);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, i) => screen(item, [...path, String(i)], rules, report));
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => {
      const name = screenText(key, path, rules, report);
      return [name, screen(held, [...path, name], rules, report)];
    }),
  );
}

function screenText(text: string, path: readonly string[], rules: readonly Rule[], report: Report): string {
  const { text: redacted, found } = redact(text, rules);
  for (const finding of found) report(path, finding);
  return redacted;
}

function markFor(length: number): string {
  return length < MARK.length ? SHORT_MARK : MARK;
}

function refused(path: readonly string[], { rule, start, end }: Finding): Error {
  return invalidArgument(
    `/${path.join('/')}`,
    `holds a secret (${rule}) at characters ${start} to ${end}, and this deployment stores none: leave it out`,
  );
}
