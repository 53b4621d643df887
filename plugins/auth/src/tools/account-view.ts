import type { Account } from '../schemas.js';

/** The fields of an account that its owner sees. */
export function accountView({ id, email, name, created_at }: Account) {
  return { id, email, name, created_at };
}
