import { definePlugin } from '@service-mcp/core';
import { config } from './config.js';
import { createAccounts } from './migrations/001-create-accounts.js';
import { createOAuth } from './migrations/002-create-oauth.js';
import { grants } from './oauth/grant-store.js';
import { oauthRoutes } from './oauth/oauth-routes.js';
import { oauthTokens } from './oauth/oauth-tokens.js';
import { safeFetch } from './oauth/safe-fetch.js';
import { maintainKeys, signingKeys } from './oauth/signing-keys.js';
import { sweepRecords } from './oauth/sweep-records.js';
import { accountAdministration } from './services/account-administration.js';
import { accounts } from './services/accounts.js';
import { apiKeys } from './services/api-keys.js';
import { auditLog, auditTrail } from './services/audit-trail.js';
import { authenticator } from './services/authenticator.js';
import { directory } from './services/directory.js';
import { expiry } from './services/expiry.js';
import { firstRun } from './services/first-run.js';
import { invitationOwner, invitations } from './services/invitations.js';
import { keyUsage } from './services/key-usage.js';
import { loginThrottle } from './services/login-throttle.js';
import { passwords } from './services/passwords.js';
import { scopes } from './services/scopes.js';
import { sessions } from './services/sessions.js';
import { workspaceData } from './services/workspace-data.js';
import { createAccount } from './tools/create-account.js';
import { createApiKey } from './tools/create-api-key.js';
import { disableAccount } from './tools/disable-account.js';
import { enableAccount } from './tools/enable-account.js';
import { invite } from './tools/invite.js';
import { listAccounts } from './tools/list-accounts.js';
import { listApiKeys } from './tools/list-api-keys.js';
import { listAudit } from './tools/list-audit.js';
import { listInvitations } from './tools/list-invitations.js';
import { login } from './tools/login.js';
import { logout } from './tools/logout.js';
import { me } from './tools/me.js';
import { refresh } from './tools/refresh.js';
import { register } from './tools/register.js';
import { resetAccount } from './tools/reset-account.js';
import { revokeApiKey } from './tools/revoke-api-key.js';
import { revokeInvitation } from './tools/revoke-invitation.js';
import { rotateKeys } from './tools/rotate-keys.js';
import { setAdministrator } from './tools/set-administrator.js';
import { setPassword } from './tools/set-password.js';

export default definePlugin({
  id: 'auth',
  description: 'Accounts, API keys, sessions and OAuth.',
  api: '^1',
  config,
  migrations: [createAccounts, createOAuth],
  services: [
    passwords,
    loginThrottle,
    invitations,
    invitationOwner,
    accounts,
    sessions,
    scopes,
    keyUsage,
    apiKeys,
    authenticator,
    directory,
    auditTrail,
    auditLog,
    firstRun,
    accountAdministration,
    workspaceData,
    grants,
    signingKeys,
    safeFetch,
    oauthTokens,
  ],
  workers: [expiry, sweepRecords, maintainKeys],
  routes: [oauthRoutes],
  toolsets: [
    {
      id: 'login',
      description: 'Register, log in and out, set a password.',
      tools: [register, login, refresh, logout, setPassword],
    },
    {
      id: 'credentials',
      description: 'Show the current account; create, list and revoke API keys.',
      tools: [me, createApiKey, listApiKeys, revokeApiKey],
    },
    {
      id: 'administration',
      description: 'Invite people and read the audit log.',
      tools: [invite, listInvitations, revokeInvitation, listAudit],
    },
    {
      id: 'accounts',
      description: 'Manage accounts, for the operator on the machine of the deployment.',
      tools: [
        listAccounts,
        createAccount,
        resetAccount,
        disableAccount,
        enableAccount,
        setAdministrator,
        rotateKeys,
      ],
    },
  ],
});
