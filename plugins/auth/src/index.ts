import { definePlugin } from '@service-mcp/core';
import { config } from './config.js';
import { createAccounts } from './migrations/001-create-accounts.js';
import { accountAdministration } from './services/account-administration.js';
import { accounts } from './services/account-service.js';
import { apiKeys } from './services/api-keys.js';
import { auditLog, auditTrail } from './services/audit-trail.js';
import { authenticator } from './services/authenticator.js';
import { directory } from './services/directory.js';
import { expiry } from './services/expiry.js';
import { firstRun } from './services/first-run.js';
import { invitationOwner, invitations } from './services/invitations.js';
import { lastUsed } from './services/last-used.js';
import { loginThrottle } from './services/login-throttle.js';
import { passwords } from './services/passwords.js';
import { scopes } from './services/scopes.js';
import { sessions } from './services/session-service.js';

export default definePlugin({
  id: 'auth',
  description: 'Accounts, API keys, sessions and OAuth: who calls, and with which credential.',
  api: '^1',
  config,
  migrations: [createAccounts],
  services: [
    passwords,
    loginThrottle,
    invitations,
    invitationOwner,
    accounts,
    sessions,
    scopes,
    lastUsed,
    apiKeys,
    authenticator,
    directory,
    auditTrail,
    auditLog,
    firstRun,
    accountAdministration,
  ],
  workers: [expiry],
});
