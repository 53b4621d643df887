import assert from 'node:assert/strict';
import type { Browser, Page } from './browser.js';
import type { Person } from './oauth-deployment.js';

/** Signs in and allows, as the person in the browser that an application opened. Returns the redirect to it. */
export async function allow(browser: Browser, authorizationUrl: string | URL, person: Person): Promise<URL> {
  const { url } = await browser.press(await signIn(browser, authorizationUrl, person), 'Allow');
  assert.ok(url.searchParams.get('code'), url.href);
  return url;
}

/** Opens an authorization and signs in where it asks. Returns the page of consent. */
export async function signIn(
  browser: Browser,
  authorizationUrl: string | URL,
  person: Person,
): Promise<Page> {
  const first = await browser.open(authorizationUrl);
  assert.equal(first.status, 200, first.text);
  const fill = { 'E-mail address': person.email, Password: person.password };
  const consent = /Password/.test(first.text) ? await browser.press(first, 'Sign in', fill) : first;
  assert.equal(consent.status, 200, consent.text);
  assert.match(consent.text, /Allow .+\?/);
  assert.ok(consent.text.includes(person.email), consent.text);
  return consent;
}
