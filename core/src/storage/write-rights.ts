import { BootError } from '../boot/boot-error.js';

const REFUSALS: ReadonlyArray<readonly [code: RegExp, problem: string, remedy: string]> = [
  [
    /^42501$/,
    'PostgreSQL does not let this user create or change its tables',
    'Let it: ALTER DATABASE … OWNER TO …, or GRANT CREATE ON SCHEMA public TO …; tables that there are need to belong to it.',
  ],
  [
    /^(25006|SQLITE_READONLY\w*)$/,
    'it accepts no writes: it is read-only, or a standby',
    'Name the primary server in DATABASE_URL, or make the database writable, and start again.',
  ],
];

/** Does what a start writes. Throws BootError where the database refuses it until its operator changes something. */
export async function withWriteRights<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    for (let error = thrown; error instanceof Error; error = error.cause) {
      const { code } = error as { code?: unknown };
      const found = REFUSALS.find(([refused]) => typeof code === 'string' && refused.test(code));
      if (found) throw new BootError('database', found[1], found[2], thrown);
    }
    throw thrown;
  }
}
