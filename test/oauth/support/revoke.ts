import assert from 'node:assert/strict';
import type { Place } from './oauth-deployment.js';

/** Revokes a token at the address that a discovery document names: the SDKs have no call of their own for it. */
export async function revoke(
  place: Place,
  metadata: object | undefined,
  fields: { readonly token: string | undefined; readonly client_id: string | undefined },
): Promise<void> {
  const { revocation_endpoint: address } = { ...metadata } as { revocation_endpoint?: string };
  assert.ok(address && fields.token && fields.client_id);
  const response = await place.fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token: fields.token, client_id: fields.client_id }).toString(),
  });
  assert.equal(response.status, 200, await response.text());
}
