import { Type, type Static } from 'typebox';
import { Id, Page, ROLES, Timestamp, closed, nullable, closedAs } from '@service-mcp/core';

export const WorkspaceId = Id('Workspace', 'workspaces_list');

/** RFC 5321, 4.5.3.1.3: 256 characters with the angle brackets. */
export const MAX_EMAIL_LENGTH = 254;
export const Email = Type.String({
  maxLength: MAX_EMAIL_LENGTH,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  description: 'E-mail address, case-insensitive',
});
export const NewPassword = Type.String({
  format: 'password',
  minLength: 10,
  maxLength: 200,
  description: 'Password, 10 to 200 characters',
});
/** A password to verify: shorter and longer ones than {@link NewPassword} are wrong, not invalid. */
export const Password = Type.String({
  format: 'password',
  maxLength: 1000,
  description: 'Password of the account',
});
export const PersonName = Type.String({
  maxLength: 200,
  description: 'Display name; default: the part of the address before the @',
  default: '',
});
export const Secret = (description: string) =>
  Type.String({ format: 'password', minLength: 1, maxLength: 1000, description });
/** A secret in a result: shown once, and stored nowhere but as a digest. */
const Shown = Type.String({ format: 'password' });
export const ApiKeyId = Id('API key', 'auth_list_api_keys');
export const InvitationId = Id('Invitation', 'auth_list_invitations');
export const Role = Type.Enum([...ROLES], { description: 'Role in the workspace' });

const user = { id: Type.String(), email: Type.String(), name: Type.String(), created_at: Timestamp };
export const User = Type.Object(user, closedAs('User'));

export const tokens = {
  access_token: Shown,
  refresh_token: Shown,
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer(),
};
/** Tokens of a login. Opaque; only SHA-256 digests are stored. `expires_in`: seconds until the access token expires. */
export const Tokens = Type.Object(tokens, closedAs('Tokens'));
export type Tokens = Static<typeof Tokens>;
export const Login = Type.Object({ user: User, ...tokens }, closedAs('Login'));

export const Me = Type.Object(
  {
    ...user,
    administrator: Type.Optional(Type.Literal(true, { description: 'You administer the deployment' })),
    workspaces: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), role: Type.Enum([...ROLES]) }, closed),
    ),
    credential: Type.Object(
      {
        kind: Type.Enum(['api_key', 'session', 'oauth', 'jwt', 'owner']),
        scopes: Type.Array(Type.String()),
        key_id: Type.Optional(Type.String()),
        /** Of a credential that is confined to one workspace. */
        workspace_id: Type.Optional(Type.String()),
      },
      closed,
    ),
  },
  closedAs('Me'),
);

const apiKey = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  masked_key: Type.String(),
  scopes: Type.Array(Type.String()),
  workspace_id: nullable(Type.String()),
  created_at: Timestamp,
  expires_at: nullable(Timestamp),
  last_used_at: nullable(Timestamp),
  revoked_at: nullable(Timestamp),
};
export const ApiKey = Type.Object(apiKey, closedAs('ApiKey'));
export type ApiKey = Static<typeof ApiKey>;
/** An API key with its secret, which is returned once and never stored. */
export const NewApiKey = Type.Object({ ...apiKey, secret_key: Shown }, closedAs('NewApiKey'));
export type NewApiKey = Static<typeof NewApiKey>;
export const ApiKeyPage = Page(ApiKey);

export const Revoked = Type.Object({ id: Type.String(), revoked: Type.Literal(true) }, closedAs('Revoked'));

/** As a consent of the OAuth server is named. */
export const ConnectionId = Type.String({
  pattern: '^[\\w-]{1,64}$',
  description: 'Connection id (from auth_list_connections)',
  'x-listed-by': 'auth_list_connections',
});
export const SessionId = Id('Session', 'auth_list_sessions');
export const AccountId = Id('Account', 'auth_list_accounts');

const use = {
  name: Type.String(),
  created_at: Timestamp,
  last_used_at: nullable(Type.String({ format: 'date-time', description: 'To the minute' })),
  current: Type.Boolean({ description: 'Whether this call uses it' }),
};
const ConnectionRecord = Type.Object(
  { id: Type.String(), ...use, scopes: Type.Array(Type.String()) },
  closed,
);
export type ConnectionRecord = Static<typeof ConnectionRecord>;
export const ConnectionPage = Page(ConnectionRecord);
const Session = Type.Object({ id: Type.String(), ...use, expires_at: Timestamp }, closed);
export type Session = Static<typeof Session>;
export const SessionPage = Page(Session);

const invitation = {
  id: Type.String(),
  email: Type.String(),
  workspace_id: nullable(Type.String()),
  role: nullable(Type.Enum([...ROLES])),
  invited_by: Type.String({ description: 'User id; empty for the operator' }),
  created_at: Timestamp,
  expires_at: Timestamp,
  accepted_at: nullable(Timestamp),
};
export const Invitation = Type.Object(invitation, closedAs('Invitation'));
export type Invitation = Static<typeof Invitation>;
export const NewInvitation = Type.Object(
  {
    ...invitation,
    token: Shown,
    link: Type.String({ format: 'password', description: 'Page on which the person registers' }),
  },
  closedAs('NewInvitation'),
);
export type NewInvitation = Static<typeof NewInvitation>;
export const InvitationPage = Page(Invitation);

const AuditRecord = Type.Object(
  {
    id: Type.String(),
    at: Timestamp,
    user_id: nullable(Type.String()),
    credential_kind: Type.String(),
    credential_id: nullable(Type.String()),
    surface: Type.String(),
    peer: nullable(Type.String()),
    request_id: Type.String(),
    action: Type.String(),
    workspace_id: nullable(Type.String()),
    /** Ids and e-mail addresses of the call: `email=ann@example.org`. */
    target: nullable(Type.String()),
    outcome: Type.String(),
  },
  closedAs('AuditRecord'),
);
export type AuditRecord = Static<typeof AuditRecord>;
export const AuditPage = Page(AuditRecord);

/** A person's account, without its password. `email` is in lower case. */
const account = {
  ...user,
  administrator: Type.Boolean(),
  disabled: Type.Boolean(),
  has_password: Type.Boolean(),
};
export const Account = Type.Object(account, closedAs('Account'));
export type Account = Static<typeof Account>;
export const AccountPage = Page(Account);
/** `link` works once, for 24 hours. */
export const AccountWithLink = Type.Object({ account: Account, link: Shown }, closedAs('AccountWithLink'));
export type AccountWithLink = Static<typeof AccountWithLink>;
