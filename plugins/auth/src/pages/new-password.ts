import { html, type Html } from '@service-mcp/core/http';
import { field, type FormErrors } from './form.js';

/** The fields of a new password. */
export function newPasswordFields(label: string, errors: FormErrors | undefined, focused = false): Html {
  const shared = { type: 'password', autocomplete: 'new-password', errors } as const;
  return html`${field({ ...shared, name: 'new_password', label, hint: 'At least 10 characters.', focused })}
  ${field({ ...shared, name: 'again', label: 'Repeat the password' })}`;
}

/** Checks {@link newPasswordFields} before any request. */
export function newPasswordProblem(form: URLSearchParams): FormErrors | undefined {
  const password = form.get('new_password') ?? '';
  if (password.length < 10 || password.length > 200)
    return { status: 400, texts: { new_password: 'Use 10 to 200 characters.' } };
  if (password !== form.get('again'))
    return { status: 400, texts: { again: 'The passwords differ. Repeat the new password.' } };
  return undefined;
}
