const MAX_LENGTH = 500;
/** Of an id or an e-mail address; texts of people have spaces. */
const PLAIN = /^[\x21-\x7e]{1,320}$/;

/** The ids and e-mail addresses among arguments, for the audit log; undefined where there are none. */
export function auditTarget(input: object): string | undefined {
  const named = Object.entries(input).flatMap(([name, value]) =>
    isIdentifier(name) && typeof value === 'string' && PLAIN.test(value) ? [`${name}=${value}`] : [],
  );
  return named.length > 0 ? named.join(' ').slice(0, MAX_LENGTH) : undefined;
}

/** The workspace has a place of its own in the log. */
function isIdentifier(name: string): boolean {
  return name === 'email' || (/(?:^|_)id$/.test(name) && name !== 'workspace_id');
}
