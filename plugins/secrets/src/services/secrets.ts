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
  const names = new Set<string>();
  const fileRules = filePolicy === 'keep' ? OWN : settings.file_rules === 'all' ? RULES : EXACT;
  return {
    find: (text) => [...find(text, RULES)],
    redact: (text) => redact(text, RULES),
    screenFile: (text) => screenFile(text, fileRules, filePolicy === 'refuse'),
    screen(value) {
      const redacted = new Map<string, Redaction>();
      const report: Report = (path, finding) => {
        if (policy === 'refuse') throw refused(path, finding);
        const redaction = { field: path.join('.'), rule: finding.rule };
        redacted.set(JSON.stringify(redaction), redaction);
      };
      const screened = screen(value, [], { rules: policy === 'keep' ? OWN : RULES, names, report });
      return { value: screened as typeof value, redacted: [...redacted.values()] }; // of the same shape
    },
  };
}

/** No rule finds anything in a shorter text. */
const MIN_LENGTH = 10;

interface Found extends Finding {
  readonly order: number;
}

function find(text: string, rules: readonly Rule[]): readonly Finding[] {
  if (text.length < MIN_LENGTH) return NOTHING;
  const found: Found[] = [];
  for (const [order, { id: rule, find: search }] of rules.entries()) {
    for (const { start, end } of search(text))
      if (rule === PRIVATE_KEYS.id || !isPlaceholder(text.slice(start, end)))
        found.push({ rule, order, start, end });
  }
  return found.length === 0 ? NOTHING : merge(found);
}

const NOTHING: readonly Finding[] = [];

function merge(found: Found[]): readonly Finding[] {
  found.sort((a, b) => a.start - b.start || a.order - b.order);
  const merged: Found[] = [];
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

interface Screening {
  readonly rules: readonly Rule[];
  /** Names of properties that hold no secret: records have the same ones again and again. */
  readonly names: Set<string>;
  readonly report: Report;
}

const MAX_NAMES = 1000;
const MAX_NAME_LENGTH = 40;

/** A copy of a JSON value without secrets, which are reported. */
function screen(value: unknown, path: readonly string[], screening: Screening): unknown {
  const { rules, names, report } = screening;
  if (typeof value === 'string') {
    if (rules === OWN || !isSecretProperty(path.at(-1) ?? '', value))
      return screenText(value, path, rules, report);
    report(path, { rule: ASSIGNED_SECRETS.id, start: 0, end: value.length });
    return markFor(value.length);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, i) => screen(item, [...path, String(i)], screening));
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => {
      const name = names.has(key) ? key : screenText(key, path, rules, report);
      if (name === key && key.length <= MAX_NAME_LENGTH && names.size < MAX_NAMES) names.add(key);
      return [name, screen(held, [...path, name], screening)];
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
