import { mountAccount } from './account.js';
import { mountAssets } from './assets.js';
import { mountConsent } from './consent.js';
import { mountLogin } from './login.js';
import { mountPassword } from './password.js';
import { mountRegister } from './register.js';
import type { PageParts } from './visitor.js';

/** Hangs every page that a person sees under `/oauth`. */
export function mountPages(parts: PageParts): void {
  mountAssets(parts.http);
  for (const mount of [mountLogin, mountRegister, mountPassword, mountConsent, mountAccount]) mount(parts);
}
