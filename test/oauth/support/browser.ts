import assert from 'node:assert/strict';
import { formsIn, plainText } from './forms.js';

/** The page that a browser shows, or the foreign address that it was redirected to. */
export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly html: string;
  /** The text of it, without markup. */
  readonly text: string;
  /** Where its forms may lead, by its Content-Security-Policy; undefined is anywhere. */
  readonly formAction: readonly string[] | undefined;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
  readonly secure: boolean;
}

const MAX_REDIRECTS = 10;

/**
 * A browser without scripts: keeps cookies by host and path, follows redirects until they leave for `awayAt` (where an
 * application waits), fills in the forms that a page really has, and holds where they lead to the page's policy.
 */
export class Browser {
  readonly #fetch: typeof fetch;
  readonly #awayAt: string;
  #cookies: Cookie[] = [];

  constructor(fetchPage: typeof fetch, awayAt: string) {
    this.#fetch = fetchPage;
    this.#awayAt = awayAt;
  }

  open(url: string | URL): Promise<Page> {
    return this.#go(new URL(url), { method: 'GET' }, 0);
  }

  /** Fills in, by label, the form that has this button, and presses it. */
  async press(page: Page, button: string, fill: Readonly<Record<string, string>> = {}): Promise<Page> {
    const form = formsIn(page.html).find(({ buttons }) => buttons.some(({ text }) => text === button));
    assert.ok(form, `no button "${button}" on: ${page.text}`);
    const body = new URLSearchParams();
    const left = new Set(Object.keys(fill));
    for (const { name, value, label, required, type } of form.fields) {
      const filled = label === undefined ? value : (fill[label] ?? value);
      left.delete(label ?? '');
      assert.ok(!required || filled !== '', `"${label}" is required on: ${page.text}`);
      assert.ok(type === 'hidden' || label !== undefined, `the field ${name} has no label`);
      if (name !== '') body.append(name, filled);
    }
    assert.deepEqual([...left], [], `these fields are not on: ${page.text}`);
    const pressed = form.buttons.find(({ text }) => text === button);
    if (pressed?.name !== undefined) body.append(pressed.name, pressed.value);
    assert.equal(form.method, 'post');
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: page.url.origin,
      'sec-fetch-site': 'same-origin',
    };
    const action = new URL(form.action, page.url);
    return this.#go(action, { method: 'POST', headers, body: body.toString() }, 0, (url) =>
      mayLeadTo(page, url),
    );
  }

  async #go(
    url: URL,
    init: RequestInit,
    redirects: number,
    mayGo: (url: URL) => boolean = () => true,
  ): Promise<Page> {
    assert.ok(mayGo(url), `the policy of the page keeps its form from ${url.origin}`);
    if (url.href.startsWith(this.#awayAt))
      return { url, status: 0, html: '', text: '', formAction: undefined };
    assert.ok(redirects < MAX_REDIRECTS, `too many redirects, the last one to ${url.href}`);
    const cookie = this.#cookiesFor(url);
    const headers = {
      accept: 'text/html',
      ...(init.headers as Record<string, string> | undefined),
      ...(cookie !== '' && { cookie }),
    };
    const response = await this.#fetch(url.href, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.#keep(line, url);
    const location = response.headers.get('location');
    const html = await response.text();
    if (location === null) {
      const [, sources] =
        /form-action ([^;]*)/.exec(response.headers.get('content-security-policy') ?? '') ?? [];
      return { url, status: response.status, html, text: plainText(html), formAction: sources?.split(' ') };
    }
    assert.equal(response.status, 303, 'a form is followed by GET, whatever the browser');
    return this.#go(new URL(location, url), { method: 'GET' }, redirects + 1, mayGo);
  }

  #cookiesFor({ host, pathname, protocol }: URL): string {
    const applies = ({ path }: Cookie) =>
      pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
    return this.#cookies
      .filter((one) => one.host === host && applies(one) && (!one.secure || protocol === 'https:'))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  #keep(line: string, { host, protocol }: URL): void {
    const [pair = '', ...rest] = line.split(';').map((part) => part.trim());
    const equals = pair.indexOf('=');
    const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
    const attributes = new Map(
      rest.map((text) => [text.split('=')[0]?.toLowerCase(), text.slice(text.indexOf('=') + 1)]),
    );
    const path = attributes.get('path') ?? '/';
    const secure = attributes.has('secure');
    assert.ok(attributes.has('httponly'), `${name} can be read by scripts`);
    assert.ok(!attributes.has('domain'), `${name} is for other hosts too`);
    assert.match(attributes.get('samesite') ?? '', /^lax$/i, `${name} goes with foreign posts`);
    if (name.startsWith('__Host-')) assert.ok(secure && path === '/', `${name} breaks its prefix`);
    this.#cookies = this.#cookies.filter(
      (one) => !(one.name === name && one.host === host && one.path === path),
    );
    const expires = attributes.get('expires');
    const isGone =
      attributes.get('max-age') === '0' || (expires !== undefined && Date.parse(expires) <= Date.now());
    if (isGone || (secure && protocol !== 'https:')) return;
    this.#cookies.push({ name, value, host, path, secure });
  }
}

/** Chromium and Safari hold every redirect of a form to `form-action`, as the draft of CSP 3 had it. */
function mayLeadTo(page: Page, url: URL): boolean {
  const allowed = page.formAction?.map((source) => (source === "'self'" ? page.url.origin : source));
  return allowed === undefined || allowed.includes(url.origin);
}
