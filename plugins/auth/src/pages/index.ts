import { mountAccount } from './account-page.js';
import { mountAssets } from './assets.js';
import { mountConsent } from './consent-page.js';
import { mountInvitations } from './invitations-page.js';
import { mountLogin } from './login-page.js';
import { mountPassword } from './password-page.js';
import { mountRegister } from './register-page.js';
import type { PageParts } from './visitor.js';

/** Mounts the pages under `/oauth`. */
export function mountPages(parts: PageParts): void {
  mountAssets(parts.http);
  for (const mount of [
    mountLogin,
    mountRegister,
    mountPassword,
    mountConsent,
    mountAccount,
    mountInvitations,
  ])
    mount(parts);
}
