import { isCertificateFault, systemCode, unconnectedReason } from '@service-mcp/core/wire';
import { EXIT, Failure } from '../failure.js';
import { startHint } from './remedy.js';

const CERTIFICATE_REMEDIES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'Renew the certificate of the server; check the clock of this machine too.',
  CERT_NOT_YET_VALID: 'Check the clock of this machine and that of the server.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Give an address with a host name that the certificate is for.',
};
const UNKNOWN_AUTHORITY =
  'Name the file with the certificate of its authority in the environment of this command: NODE_EXTRA_CA_CERTS=FILE';

const BROKEN: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
};

/** The connection broke before an answer: refused, reset, timed out, unknown host. */
export function unconnected(origin: string, cause: unknown): Failure {
  const code = systemCode(cause) ?? '';
  if (isCertificateFault(code)) {
    const next = CERTIFICATE_REMEDIES[code] ?? UNKNOWN_AUTHORITY;
    return unreachable(origin, `its TLS certificate is not accepted here (${code})`, cause).with({ next });
  }
  const reason =
    unconnectedReason(code) ??
    BROKEN[code] ??
    (code === '' ? 'the request failed' : `the request failed (${code})`);
  return unreachable(origin, reason, cause).with({ transient: code !== 'ENOTFOUND' });
}

export function unreachable(url: string, reason: string, cause: unknown, next = startHint(url)): Failure {
  return new Failure(`The service at ${url} cannot be reached: ${reason}.`, {
    exit: EXIT.unreachable,
    next,
    cause,
  });
}

/** For a server that answers but does not speak as the service does. */
export function foreignService(url: string): Failure {
  return new Failure(`The server at ${url} is not this service.`, {
    exit: EXIT.unreachable,
    next: 'Give the address of the service with --url or SERVICE_API_URL.',
  });
}
