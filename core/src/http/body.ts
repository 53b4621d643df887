import { isUtf8 } from 'node:buffer';
import type { Context } from 'koa';
import getRawBody from 'raw-body';
import { ServiceError } from '../errors.js';

/** Reads a JSON body of at most `limit` bytes; see HttpMount.readJson. */
export async function readJson(ctx: Context, limit: number): Promise<unknown> {
  const { headers } = ctx;
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0')
    return undefined;
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type)) {
    throw new ServiceError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as JSON, with the header Content-Type: application/json.',
    );
  }
  const body = await readBody(ctx, limit);
  if (!isUtf8(body)) throw new ServiceError('PARSE_ERROR', 'The body is not valid UTF-8.');
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch (error) {
    throw new ServiceError('PARSE_ERROR', 'The body is not valid JSON.', { cause: error });
  }
}

/** Reads a body of at most `limit` bytes; see HttpMount.readBody. */
export async function readBody({ req }: Context, limit: number): Promise<Buffer> {
  const { headers } = req;
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.');
  }
  try {
    return await getRawBody(req, { length: headers['content-length'] ?? null, limit });
  } catch (error) {
    const { type: kind } = error as { type?: string };
    if (kind === 'entity.too.large') {
      req.resume(); // let the client finish sending, so that it reads the answer
      throw new ServiceError('PAYLOAD_TOO_LARGE', `The body is over ${limit} bytes. Send less at a time.`, {
        details: { limit },
      });
    }
    throw new ServiceError('INVALID_REQUEST', 'The body did not arrive whole. Send it again.', {
      cause: error,
    });
  }
}
