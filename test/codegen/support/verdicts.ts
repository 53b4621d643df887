import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';

const RFC3339 = formats.default.default.get('date-time', 'full') as { validate: (text: string) => boolean };

/** Ajv as core/src/call/validate.ts sets it up. `strict: false` takes schemas that the service would not; `ownProperties`: a name that every object inherits is not a field. */
export function serviceValidator(
  options: { readonly ownProperties?: boolean; readonly strict?: boolean } = {},
): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    useDefaults: true,
    verbose: true,
    keywords: ['x-env', 'x-secret', 'x-listed-by', 'x-found-by', 'x-day'],
    ...options,
  });
  formats.default.default(ajv);
  ajv.addFormat('date-time', {
    type: 'string',
    validate: (text: string) => {
      const time = Date.parse(text);
      return RFC3339.validate(text) && time >= Date.parse('0000-01-01') && time < Date.UTC(10_000, 0);
    },
  });
  return ajv;
}

/** The parts of a Zod schema that tests use. */
export interface Validator {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: { readonly message: string } };
}

/** Do both give the same verdict on a JSON text? Each gets a value of its own: Ajv fills defaults in. */
export function compare(
  text: string,
  generated: Validator,
  validate: ValidateFunction,
): { readonly accepted: boolean; readonly difference?: string } {
  let accepted: boolean;
  try {
    accepted = validate(JSON.parse(text));
  } catch (thrown) {
    // To compare items, Ajv calls what they name toString or valueOf.
    if (thrown instanceof TypeError) return { accepted: false };
    throw thrown;
  }
  const own = generated.safeParse(JSON.parse(text));
  if (own.success === accepted) return { accepted };
  const why = accepted ? own.error?.message : JSON.stringify(validate.errors?.map(({ message }) => message));
  return { accepted, difference: `${accepted ? 'Zod' : 'Ajv'} alone refuses ${text}: ${why}` };
}
