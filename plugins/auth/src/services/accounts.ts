import {
  Clock,
  Database,
  Deployment,
  Events,
  ServiceError,
  invalidArgument,
  normalEmail,
  provide,
  token,
  type Sql,
} from '@service-mcp/core';
import { config, type Settings } from '../config.js';
import type { Account } from '../schemas.js';
import {
  findUser,
  hasAccounts,
  insertUser,
  lockFirstAccount,
  toAccount,
  type ProvenAccount,
  type UserRow,
} from './account-store.js';
import { Invitations } from './invitations.js';
import { LoginThrottle } from './login-throttle.js';
import { Passwords } from './passwords.js';
import { SetupToken } from './setup-token.js';
import { consumeReset, findReset } from './reset-tokens.js';
import { revokeAccess } from './revoke-access.js';

/** Who can register: anyone, people with an invitation, or nobody. The first account always needs the set-up token. */
export type Registration = NonNullable<Settings['registration']> | 'setup';

export interface Accounts {
  byId(id: string): Promise<Account | undefined>;
  /**
   * The account with this address and password. Throws UNAUTHENTICATED with the same message and timing for a wrong
   * address and a wrong password, and RATE_LIMITED after too many attempts (before hashing).
   */
  login(request: { email: string; password: string; peer: string }): Promise<ProvenAccount>;
  /**
   * Creates an account and, with an invitation, its membership. The first account of a deployment, which the local
   * owner is where there is one, needs the set-up token and becomes administrator; no other does. Throws CONFLICT when
   * the address is taken, PERMISSION_DENIED when registration is closed or needs an invitation or the set-up token,
   * INVALID_ARGUMENT for an invitation that is unknown, used, expired or for another address, and for a set-up token
   * when there is an account.
   */
  register(request: {
    email: string;
    password: string;
    name: string;
    invitation?: string;
    setupToken?: string;
    peer: string;
  }): Promise<ProvenAccount>;
  /** Is registration closed, for people with an invitation too? */
  readonly isClosed: boolean;
  /** The rule for the next registration. */
  registration(): Promise<Registration>;
  /** The account of a reset token, without consuming it; undefined when it is invalid. */
  forReset(resetToken: string): Promise<Account | undefined>;
  /**
   * Sets a new password with a reset token (which is consumed) or the current password, and ends every session, grant
   * and reset token of the account except session `keep`. Throws UNAUTHENTICATED, RATE_LIMITED.
   */
  setPassword(
    request: ({ resetToken: string } | { userId: string; currentPassword: string }) & {
      newPassword: string;
      peer: string;
      /** Id of the session to keep. */
      keep?: string;
    },
  ): Promise<ProvenAccount>;
}
export const Accounts = token<Accounts>('auth.Accounts');

export const accounts = provide(Accounts, {
  uses: {
    database: Database,
    clock: Clock,
    events: Events,
    deployment: Deployment,
    settings: config.token,
    passwords: Passwords,
    throttle: LoginThrottle,
    invitations: Invitations,
    setupToken: SetupToken,
  },
  create({ database, clock, events, deployment, settings, passwords, throttle, invitations, ...deps }) {
    const configured: Registration = settings.registration ?? (deployment.loopback ? 'open' : 'invite');
    let hasAny = false; // never becomes false again
    const isFirst = async (sql: Sql) => {
      hasAny ||= await hasAccounts(sql);
      return !hasAny;
    };
    /** Throws unless the request may register; true for the first account. */
    async function checkRegistration(sql: Sql, { invitation, setupToken }: Presented): Promise<boolean> {
      const first = await isFirst(sql);
      if (!first) requireRegistration(configured, invitation);
      else if (setupToken === undefined || !deps.setupToken.matches(setupToken)) throw setupTokenNeeded();
      if (!first && setupToken !== undefined)
        throw invalidArgument(
          '/setup_token',
          'was used: this deployment has its first account. Leave it out',
        );
      return first;
    }
    async function byReset(resetToken: string, peer: string): Promise<UserRow> {
      await throttle.tryFrom('reset', peer);
      const row = await findReset(database.sql, clock, resetToken);
      if (!row) throw invalidLink();
      return row;
    }

    /** The user of an enabled account with this password, counting the attempt; undefined when it is wrong. */
    async function byPassword(
      where: { id: string } | { email: string },
      { password, peer }: { password: string; peer: string },
    ): Promise<UserRow | undefined> {
      const row = await findUser(database.sql, where);
      const email = row?.email ?? ('email' in where ? where.email : where.id);
      await throttle.tryLogin(email, peer);
      const same = await passwords.matches(password, row?.password_hash);
      if (!same || row?.disabled_at !== null) return undefined;
      await throttle.succeeded(email, peer);
      return row;
    }

    return {
      async byId(id) {
        const row = await findUser(database.sql, { id });
        return row && toAccount(row);
      },
      async login({ email, ...attempt }) {
        const row = await byPassword({ email: normalEmail(email) }, attempt);
        if (!row || row.password_hash === null)
          throw new ServiceError(
            'UNAUTHENTICATED',
            'The address or the password is wrong. Try again, or ask an administrator for a link to set a new password.',
          );
        return { ...toAccount(row), password_hash: row.password_hash };
      },
      async register({ email: given, password, name, peer, ...presented }) {
        const { invitation } = presented;
        const email = normalEmail(given);
        await throttle.tryFrom('registration', peer);
        await checkRegistration(database.sql, presented);
        if (invitation !== undefined) await invitations.check(invitation, email);
        if (await findUser(database.sql, { email })) throw emailTaken();
        const password_hash = await passwords.hash(password);
        return events.change(async (sql, record) => {
          await lockFirstAccount(database, sql);
          const administrator = await checkRegistration(sql, presented);
          const created_at = clock.now().toISOString();
          const row = await insertUser(sql, { email, name, password_hash, administrator, created_at });
          if (!row) throw emailTaken();
          if (invitation !== undefined) await invitations.accept(sql, record, invitation, row);
          return { ...toAccount(row), password_hash };
        });
      },

      isClosed: configured === 'closed',

      async registration() {
        return (await isFirst(database.sql)) ? 'setup' : configured;
      },

      async forReset(resetToken) {
        const row = await findReset(database.sql, clock, resetToken);
        return row && toAccount(row);
      },
      async setPassword({ newPassword, peer, keep, ...by }) {
        const row =
          'resetToken' in by
            ? await byReset(by.resetToken, peer)
            : await byPassword({ id: by.userId }, { password: by.currentPassword, peer });
        if (!row) throw new ServiceError('UNAUTHENTICATED', 'The current password is wrong. Try again.');
        const password_hash = await passwords.hash(newPassword);
        await database.transaction(async (sql) => {
          // The user before its tokens, as who disables an account takes them: the other order waits in a circle.
          await sql('users').where({ id: row.id }).forUpdate().first('id');
          if ('resetToken' in by && !(await consumeReset(sql, by.resetToken))) throw invalidLink();
          // Optimistic lock: of two concurrent changes the second fails.
          const same = { id: row.id, password_hash: row.password_hash };
          const changed = await sql('users').where(same).update({ password_hash });
          if (changed !== 1) {
            throw new ServiceError(
              'CONFLICT',
              'The password was changed by another request. Log in with the new one.',
            );
          }
          await revokeAccess(sql, row.id, keep);
        });
        return { ...toAccount({ ...row, password_hash }), password_hash };
      },
    };
  },
});

/** What a person may have for registering. */
interface Presented {
  readonly invitation?: string;
  readonly setupToken?: string;
}

function setupTokenNeeded(): ServiceError {
  return new ServiceError(
    'PERMISSION_DENIED',
    'The first account of this deployment needs its set-up token, which service-mcp serve prints on the terminal (or SERVICE_SETUP_TOKEN). Send it as setup_token, or make the account there: service-mcp accounts create EMAIL --administrator.',
  );
}

function requireRegistration(registration: Registration, invitation: string | undefined): void {
  if (registration === 'open' || (registration === 'invite' && invitation !== undefined)) return;
  throw new ServiceError(
    'PERMISSION_DENIED',
    registration === 'invite'
      ? 'Registration here needs an invitation. Ask an administrator for one.'
      : 'Registration is closed here. Ask the operator for an account.',
  );
}

function emailTaken(): ServiceError {
  return new ServiceError('CONFLICT', 'An account with this address already exists. Log in with it.');
}

function invalidLink(): ServiceError {
  return new ServiceError(
    'UNAUTHENTICATED',
    'This link is unknown, used or expired. Ask an administrator for a new one.',
  );
}
