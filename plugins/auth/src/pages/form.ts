import { ERRORS, ServiceError, type Issue } from '@service-mcp/core';
import { html, type Html, type HttpMount } from '@service-mcp/core/http';
import type { Context } from 'koa';
import { MAX_EMAIL_LENGTH } from '../schemas.js';
import { isFromItsHost, isFromOurPage } from '../services/credentials/browser.js';

const FORM_LIMIT = 16 * 1024;
const MAX_LENGTHS = { password: 200, email: MAX_EMAIL_LENGTH, text: 320 };

/** Errors of a form: a text per field; `''` is the form itself. */
export interface FormErrors {
  readonly status: number;
  readonly texts: Readonly<Record<string, string>>;
}

/** The fields of a posted form. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, and INVALID_ARGUMENT for NUL, which databases reject. */
export async function readForm(http: HttpMount, ctx: Context): Promise<URLSearchParams> {
  if (!ctx.is('application/x-www-form-urlencoded'))
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The content type is not supported. Send a form.');
  const form = new URLSearchParams((await http.readBody(ctx, FORM_LIMIT)).toString('utf8'));
  if ([...form.values()].some((value) => value.includes('\0')))
    throw new ServiceError('INVALID_ARGUMENT', 'The form contains the character NUL. Enter the text again.');
  return form;
}

/** Rejects a form posted by a foreign page. Programs send neither header and must use the API. */
export function rejectForeignForm(http: HttpMount, ctx: Context): void {
  const site = ctx.headers['sec-fetch-site'];
  const isOurs = isFromOurPage(ctx.headers, http.origins());
  if (isOurs && site !== 'cross-site') return;
  if (!isOurs && isFromItsHost(ctx.headers)) {
    const { web } = http.origins();
    throw new ServiceError(
      'PERMISSION_DENIED',
      `People sign in at ${web} alone. Open the page there. The operator can make this address the one of the service with SERVICE_BASE_URL=${ctx.get('origin')}.`,
      { details: { page: web + ctx.path } },
    );
  }
  throw new ServiceError(
    'PERMISSION_DENIED',
    'This form was sent from another site. Open the page itself and try again.',
  );
}

/** A labelled field with its error. Passwords are never filled in again. */
export function field(options: {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly value?: string | null;
  readonly hint?: string;
  readonly errors?: FormErrors | undefined;
  readonly optional?: boolean;
  readonly focused?: boolean;
}): Html {
  const { name, type } = options;
  const error = options.errors?.texts[name];
  // Focus the field with an error.
  const isFocused = options.errors ? error !== undefined : options.focused;
  const describedBy =
    error !== undefined ? `${name}-error` : options.hint !== undefined ? `${name}-hint` : undefined;
  return html`<div class="field">
    <label for="${name}">${options.label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${options.autocomplete}"
      maxlength="${MAX_LENGTHS[type]}"
      ${
        type !== 'password' && options.value ? html` value="${options.value}"` : ''
      }${options.optional ? '' : html` required`}${isFocused && html` autofocus`}${error !== undefined && html` aria-invalid="true"`}${
        describedBy !== undefined && html` aria-describedby="${describedBy}"`
      }
    />
    ${error !== undefined ? html`<p class="field-error" id="${name}-error" role="alert">${error}</p>` : options.hint !== undefined && html`<p class="muted" id="${name}-hint">${options.hint}</p>`}
  </div>`;
}

export function hidden(name: string, value: string | null | undefined): Html {
  return value ? html`<input type="hidden" name="${name}" value="${value}" />` : html``;
}

/** The error of the form itself. */
export function formError(errors: FormErrors | undefined): Html {
  const text = errors?.texts[''];
  return text === undefined ? html`` : html`<p class="notice bad" role="alert">${text}</p>`;
}

/** Converts a service error to form errors; rethrows errors that the user cannot fix. */
export function formErrors(error: unknown, fields: readonly string[], unauthenticated = ''): FormErrors {
  if (!(error instanceof ServiceError) || error.code === 'INTERNAL') throw error;
  const issues = (error.details?.['issues'] ?? []) as readonly Issue[];
  const texts: Record<string, string> = {};
  for (const { path, message } of issues) {
    const name = path.slice(1);
    if (fields.includes(name)) texts[name] = sentence(message);
    // An issue without a field on the page is shown above the form: "This invitation is …".
    else if (name) texts[''] = sentence(`this ${name.replaceAll('_', ' ')} ${message}`);
  }
  if (error.code === 'UNAUTHENTICATED') texts[unauthenticated] = error.message;
  if (error.code === 'CONFLICT' && fields.includes('email')) texts['email'] = error.message;
  if (Object.keys(texts).length === 0) texts[''] = error.message;
  // 401 would need a WWW-Authenticate header, which does not apply to forms.
  return { status: error.code === 'UNAUTHENTICATED' ? 400 : ERRORS[error.code].http, texts };
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1) + (/[.!?]$/.test(message) ? '' : '.');
}
