import { definePlugin } from '@service-mcp/core';
import { config } from './config.js';
import { createAccountErasures } from './migrations/006-account-erasures.js';
import { addErasureRequest } from './migrations/007-erasure-request.js';
import { createAccounts } from './migrations/001-create-accounts.js';
import { credentialUse } from './migrations/003-credential-use.js';
import { addAuditTarget } from './migrations/004-audit-target.js';
import { freeOperatorInvitations } from './migrations/005-operator-invitations.js';
import { createOAuth } from './migrations/002-create-oauth.js';
import { clientDocuments } from './oauth/client-documents.js';
import { grants } from './oauth/grant-store.js';
import { oauthRoutes } from './oauth/oauth-routes.js';
import { oauthTokens } from './oauth/oauth-tokens.js';
import { safeFetch } from './oauth/safe-fetch.js';
import { maintainKeys, signingKeys } from './oauth/signing-keys.js';
import { sweepRecords } from './oauth/sweep-records.js';
import { accountData } from './services/account-data.js';
import { accountAdministration } from './services/account-administration.js';
import { accounts } from './services/accounts.js';
import { apiKeys } from './services/api-keys.js';
import { auditLog, auditTrail } from './services/audit-trail.js';
import { authenticator } from './services/authenticator.js';
import { directory } from './services/directory.js';
import { expiry } from './services/expiry.js';
import { firstRun } from './services/first-run.js';
import { invitationOwner, invitationRecords, invitations } from './services/invitations.js';
import { credentialUsage } from './services/credential-usage.js';
import { laterErasures } from './services/later-erasures.js';
import { logins } from './services/logins.js';
import { loginThrottle } from './services/login-throttle.js';
import { passwords } from './services/passwords.js';
import { scopes } from './services/scopes.js';
import { setupToken } from './services/setup-token.js';
import { sessions } from './services/sessions.js';
import { workspaceData } from './services/workspace-data.js';
import { createAccount } from './tools/create-account.js';
import { createApiKey } from './tools/create-api-key.js';
import { deleteAccount } from './tools/delete-account.js';
import { disableAccount } from './tools/disable-account.js';
import { enableAccount } from './tools/enable-account.js';
import { invite } from './tools/invite.js';
import { listAccounts } from './tools/list-accounts.js';
import { listApiKeys } from './tools/list-api-keys.js';
import { listConnections } from './tools/list-connections.js';
import { listSessions } from './tools/list-sessions.js';
import { listAudit } from './tools/list-audit.js';
import { listInvitations } from './tools/list-invitations.js';
import { login } from './tools/login.js';
import { logout } from './tools/logout.js';
import { me } from './tools/me.js';
import { refresh } from './tools/refresh.js';
import { register } from './tools/register.js';
import { resetAccount } from './tools/reset-account.js';
import { revokeApiKey } from './tools/revoke-api-key.js';
import { revokeConnection } from './tools/revoke-connection.js';
import { revokeSession } from './tools/revoke-session.js';
import { updateAccount } from './tools/update-account.js';
import { revokeInvitation } from './tools/revoke-invitation.js';
import { rotateKeys } from './tools/rotate-keys.js';
import { setAdministrator } from './tools/set-administrator.js';
import { setPassword } from './tools/set-password.js';

export default definePlugin({
  id: 'auth',
  description: 'Accounts, API keys, sessions and OAuth.',
  api: '^1',
  config,
  migrations: [
    createAccounts,
    createOAuth,
    credentialUse,
    addAuditTarget,
    freeOperatorInvitations,
    createAccountErasures,
    addErasureRequest,
  ],
  services: [
    passwords,
    loginThrottle,
    invitations,
    invitationRecords,
    invitationOwner,
    setupToken,
    accounts,
    sessions,
    scopes,
    credentialUsage,
    apiKeys,
    authenticator,
    directory,
    auditTrail,
    auditLog,
    firstRun,
    accountAdministration,
    accountData,
    workspaceData,
    grants,
    signingKeys,
    safeFetch,
    clientDocuments,
    oauthTokens,
    logins,
  ],
  workers: [expiry, laterErasures, sweepRecords, maintainKeys],
  routes: [oauthRoutes],
  toolsets: [
    {
      id: 'login',
      description: 'Register, log in and out, set a password.',
      tools: [register, login, refresh, logout, setPassword],
    },
    {
      id: 'credentials',
      description:
        'Show the current account; create, list and revoke API keys; list and end logins and connected applications.',
      tools: [
        me,
        createApiKey,
        listApiKeys,
        revokeApiKey,
        listConnections,
        revokeConnection,
        listSessions,
        revokeSession,
      ],
    },
    {
      id: 'administration',
      description: 'Invite people and read the audit log.',
      tools: [invite, listInvitations, revokeInvitation, listAudit],
    },
    {
      id: 'accounts',
      description: 'Manage accounts, for administrators and the operator on the machine of the deployment.',
      tools: [
        listAccounts,
        createAccount,
        resetAccount,
        disableAccount,
        enableAccount,
        setAdministrator,
        updateAccount,
        deleteAccount,
        rotateKeys,
      ],
    },
  ],
  views: [
    {
      id: 'keys',
      title: 'API keys',
      icon: 'key',
      about:
        'Keys for clients and scripts, each with its own permissions. A key is shown once, when it is made.',
      list: 'auth_list_api_keys',
      columns: [
        'name',
        'masked_key',
        'workspace_id',
        'scopes',
        'created_at',
        'last_used_at',
        'expires_at',
        'revoked_at',
      ],
      create: 'auth_create_api_key',
      remove: {
        tool: 'auth_revoke_api_key',
        label: 'Revoke',
        with: { key_id: 'id' },
        unless: 'revoked_at',
      },
    },
    {
      id: 'invitations',
      title: 'Invitations',
      icon: 'mail',
      about: 'People who may register, or join this workspace, by a link.',
      list: 'auth_list_invitations',
      columns: ['email', 'role', 'created_at', 'expires_at', 'accepted_at'],
      create: 'auth_invite',
      remove: {
        tool: 'auth_revoke_invitation',
        label: 'Withdraw',
        with: { invitation_id: 'id' },
        unless: 'accepted_at',
      },
    },
    {
      id: 'connections',
      title: 'Connected applications',
      icon: 'application',
      about: 'Applications that you let in by signing in. Disconnecting one ends its access at once.',
      list: 'auth_list_connections',
      columns: ['name', 'scopes', 'created_at', 'last_used_at'],
      remove: { tool: 'auth_revoke_connection', label: 'Disconnect', with: { connection_id: 'id' } },
    },
    {
      id: 'sessions',
      title: 'Logins',
      icon: 'login',
      about: 'Browsers and devices where you are signed in. End one that you do not know.',
      list: 'auth_list_sessions',
      columns: ['name', 'created_at', 'last_used_at', 'expires_at', 'current'],
      remove: { tool: 'auth_revoke_session', label: 'End', with: { session_id: 'id' } },
    },
    {
      id: 'accounts',
      title: 'Accounts',
      icon: 'person',
      about: 'Everyone with an account on this service. For its administrators.',
      list: 'auth_list_accounts',
      columns: ['email', 'name', 'administrator', 'disabled', 'has_password', 'created_at'],
      actions: [{ tool: 'auth_update_account', label: 'Change', with: { account_id: 'id' } }],
      remove: { tool: 'auth_delete_account', label: 'Delete', with: { account_id: 'id' } },
    },
    {
      id: 'audit',
      title: 'Audit log',
      icon: 'log',
      about: 'Changes and refused calls in this workspace, newest first, with who made them.',
      list: 'auth_list_audit',
      columns: ['at', 'user_id', 'action', 'outcome', 'surface', 'peer', 'workspace_id'],
    },
  ],
});
