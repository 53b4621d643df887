import { Log, provide, token } from '@service-mcp/core';
import { config } from '../config.js';
import { CallerCredentials, Credentials } from '../identity/credentials.js';
import { parseAddress, isUnencrypted } from './address.js';
import { connect, type Connection } from './connection.js';

export const ServiceConnection = token<Connection>('upstream.ServiceConnection');

export const connection = provide(ServiceConnection, {
  uses: { settings: config.token, log: Log },
  create({ settings: { url, connect_timeout_ms, answer_timeout_ms }, log }) {
    const base = parseAddress(url);
    if (isUnencrypted(base))
      log.warn(
        { upstream: base },
        'credentials are sent to the service unencrypted: set SERVICE_API_URL to an https address',
      );
    return connect(base, { connectTimeoutMs: connect_timeout_ms, answerTimeoutMs: answer_timeout_ms });
  },
  close: (service) => service.close(),
});

export const callerCredentials = provide(CallerCredentials, {
  uses: { settings: config.token },
  create: ({ settings }) => new Credentials(settings.api_key),
});
