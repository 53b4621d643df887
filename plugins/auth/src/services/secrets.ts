import { hash, randomBytes } from 'node:crypto';

/** A new opaque secret: a prefix for its kind, and 256 random bits in base64url. */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** The stored form of a secret: its SHA-256. A random secret of 190 bits or more needs neither salt nor a slow hash. */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

export const ACCESS_PREFIX = 'svc_at_';
export const REFRESH_PREFIX = 'svc_rt_';
export const COOKIE_PREFIX = 'svc_bs_';
export const RESET_PREFIX = 'svc_pw_';
export const SETUP_PREFIX = 'svc_su_';
export const INVITATION_PREFIX = 'svc_in_';
