import { Clock, Database, Deployment, Events, ServiceError, provide, type Sql } from '@service-mcp/core';
import { config } from '../config.js';
import {
  findUser,
  hasAccounts,
  insertUser,
  lockFirstAccount,
  normalEmail,
  toAccount,
  toProvenAccount,
} from './account-store.js';
import { Accounts, type Registration } from './accounts.js';
import { Invitations } from './invitations.js';
import { LoginThrottle } from './login-throttle.js';
import { createPasswordChange } from './password-change.js';
import { Passwords } from './passwords.js';
import { createReset, findReset } from './reset-tokens.js';
import { AccessRevoker } from './revoke-access.js';

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
    revokers: AccessRevoker,
  },
  create: (deps) => {
    const { database, clock, events, deployment, settings, passwords, throttle, invitations } = deps;
    const configured: Registration = settings.registration ?? (deployment.loopback ? 'open' : 'invite');
    let hasAny = false; // never becomes false again
    const isFirst = async (sql: Sql) => {
      hasAny ||= await hasAccounts(sql);
      return !hasAny;
    };
    const findAccount = async (where: { id: string } | { email: string }) => {
      const row = await findUser(database.sql, where);
      return row && toAccount(row);
    };

    return {
      byId: (id) => findAccount({ id }),
      byEmail: (email) => findAccount({ email: normalEmail(email) }),

      async login({ email: given, password, peer }) {
        const email = normalEmail(given);
        await throttle.tryLogin(email, peer);
        const row = await findUser(database.sql, { email });
        const same = await passwords.matches(password, row?.password_hash);
        if (!row || !same || row.password_hash === null || row.disabled_at !== null) {
          throw new ServiceError(
            'UNAUTHENTICATED',
            'The address or the password is wrong. Try again, or ask an administrator for a link to set a new password.',
          );
        }
        await throttle.succeeded(email, peer);
        return toProvenAccount(row, row.password_hash);
      },

      async register({ email: given, password, name, invitation, peer }) {
        const email = normalEmail(given);
        await throttle.tryFrom('registration', peer);
        if (!(await isFirst(database.sql))) requireRegistration(configured, invitation);
        if (invitation !== undefined) await invitations.check(invitation, email);
        if (await findUser(database.sql, { email })) throw emailTaken();
        const password_hash = await passwords.hash(password);
        return events.change(async (sql, record) => {
          await lockFirstAccount(database, sql);
          const administrator = await isFirst(sql);
          if (!administrator) requireRegistration(configured, invitation);
          const created_at = clock.now().toISOString();
          const row = await insertUser(sql, { email, name, password_hash, administrator, created_at });
          if (!row) throw emailTaken();
          if (invitation !== undefined) await invitations.accept(sql, record, invitation, row);
          return toProvenAccount(row, password_hash);
        });
      },

      async registration() {
        return (await isFirst(database.sql)) ? 'open' : configured;
      },

      createReset: (sql, userId) => createReset(sql, clock, userId),
      async forReset(resetToken) {
        const row = await findReset(database.sql, clock, resetToken);
        return row && toAccount(row);
      },
      setPassword: createPasswordChange(deps),
    };
  },
});

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
