import { ServiceError, type ErrorCode } from '../errors.js';

/** Waits for work to fail with a ServiceError of this code whose message matches; returns the error. */
export async function rejects(work: Promise<unknown>, code: ErrorCode, message = /./): Promise<ServiceError> {
  const caught = await work.then(
    () => new Error(`expected ${code}, and the work succeeded`),
    (error: unknown) => error,
  );
  if (!(caught instanceof ServiceError)) throw caught;
  if (caught.code !== code) throw new Error(`expected ${code}`, { cause: caught });
  if (!message.test(caught.message)) throw new Error(`expected a message like ${message}`, { cause: caught });
  return caught;
}
