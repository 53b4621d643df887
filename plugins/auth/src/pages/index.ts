import { mountAccount } from './account.js';
import { mountConsent } from './consent.js';
import { mountLogin } from './login.js';
import { mountPassword } from './password.js';
import { mountRegister } from './register.js';
import { STYLESHEET } from './stylesheet.js';
import type { PageParts } from './visitor.js';

/** Hangs every page that a person sees under `/oauth`. */
export function mountPages(parts: PageParts): void {
  parts.http.router.get(STYLESHEET.path, (ctx) => {
    ctx.type = 'text/css; charset=utf-8';
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.body = STYLESHEET.css;
  });
  for (const mount of [mountLogin, mountRegister, mountPassword, mountConsent, mountAccount]) mount(parts);
}
