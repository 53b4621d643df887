import { Type } from 'typebox';
import { closed } from '../schemas.js';

const perMinute = (description: string, byDefault: number, name: string) =>
  Type.Integer({
    description: `${description}; 0 means no limit`,
    default: byDefault,
    minimum: 0,
    'x-env': `SERVICE_LIMITS_${name}_PER_MINUTE`,
  });

/** The section `limits` of a deployment file. */
export const limits = Type.Object(
  {
    read_per_minute: perMinute(
      'Calls that read, a minute, for each user and domain (search, …)',
      1200,
      'READ',
    ),
    write_per_minute: perMinute('Calls that write, a minute, for each user and domain', 600, 'WRITE'),
    messages_per_minute: perMinute(
      'Messages to MCP endpoints and /api/v1/rpc, a minute, for each user, counted before they are read',
      3000,
      'MESSAGES',
    ),
    body_bytes: Type.Integer({
      description: 'Bytes of request bodies over 64 KiB in memory, half for one user; more get 503',
      default: 64 * 1024 * 1024,
      minimum: 1024 * 1024,
      'x-env': 'SERVICE_LIMITS_BODY_BYTES',
    }),
    open_per_minute: perMinute(
      'Calls without a credential, a minute, for each address of a client',
      60,
      'OPEN',
    ),
  },
  closed,
);
