import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import { ServiceError, howToGetIds, invalidArgument, type Issue } from '../errors.js';
import type { SchemaChecks } from '../services.js';
import { shownPath } from '../shown-path.js';
import { MAX_DEPTH, findUnstorable } from '../storable.js';
import { suggest } from '../boot/boot-error.js';
import type { JsonSchema } from '../tool.js';
import { dayKeyword } from './day-keyword.js';
import { periodIssues } from './period-issues.js';
import { schemaFault } from './schema-fault.js';

/** Faults that a refusal lists. */
export const MAX_ISSUES = 20;
/** Items and fields of a value whose faults are all looked for: a fault takes microseconds, and a body holds millions. */
const MAX_PARTS = 10_000;
/** Fields that a refusal names. */
const MAX_FIELDS = 12;
const EMPTY = 'must not be empty';
/** The format of an e-mail address in schemas. */
const EMAIL = '^[^\\s@]+@[^\\s@]+$';
const RFC3339 = formats.default.default.get('date-time', 'full') as { validate: (text: string) => boolean };
const YEAR_10000 = Date.UTC(10_000, 0);
const YEAR_0 = new Date(0).setUTCFullYear(0, 0, 1);

/** An RFC 3339 time that a Date holds and writes in four-digit years: no leap second, nothing an offset moves out. */
function isTimestamp(text: string): boolean {
  const time = Date.parse(text);
  return RFC3339.validate(text) && time >= YEAR_0 && time < YEAR_10000;
}

function createAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors,
    useDefaults: true,
    verbose: true,
    keywords: ['x-env', 'x-secret', 'x-listed-by', 'x-found-by'],
  });
  formats.default.default(ajv);
  ajv.addKeyword(dayKeyword);
  return ajv.addFormat('date-time', { type: 'string', validate: isTimestamp });
}

/** Of the process: the schemas of tools and sections are constants, whichever deployment they are part of. */
let shared: Ajv2020 | undefined;
let sharedOfAll: Ajv2020 | undefined;
const faults = new WeakMap<object, string | undefined>();

/**
 * Checks JSON Schema with Ajv; a validator is compiled on first use (about 3 ms each), once in a process. It ends at the
 * first fault; another one, for schemas whose values have faults, finds all.
 */
export class Validators {
  readonly #ajv = (shared ??= createAjv(false));

  /** The reason that the schema cannot be used; undefined where it can. Nothing is compiled; a host asks again for free. */
  faultOf(schema: object): string | undefined {
    if (!faults.has(schema)) faults.set(schema, this.#findFault(schema));
    return faults.get(schema);
  }

  #findFault(schema: object): string | undefined {
    if (this.#ajv.validateSchema(schema) !== true) {
      // The deepest place says most: each schema around it is at fault too.
      const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length;
      const [error] = [...(this.#ajv.errors ?? [])].sort((a, b) => depth(b) - depth(a));
      return `it is not JSON Schema 2020-12${error ? `: ${error.instancePath} ${error.message}` : ''}`;
    }
    return schemaFault(schema as JsonSchema, {
      isKeyword: (word) => word === '$anchor' || this.#ajv.RULES.keywords[word] === true,
      formats: Object.keys(this.#ajv.formats),
    });
  }

  /**
   * Fills defaults into `value`, times for plain days, and returns its faults: at most 20, and the first alone for a value
   * of more than 10,000 items and fields, whose defaults are then not all filled in.
   */
  issues(schema: object, value: unknown): Issue[] {
    const first = faultsOf(this.#ajv, schema, value);
    if (first.length === 0) return periodIssues(schema as JsonSchema, value);
    const all = isLarge(value) ? first : faultsOf((sharedOfAll ??= createAjv(true)), schema, value);
    const errors = all.filter((error) => error.keyword !== 'if');
    // Under anyOf each branch complains; the branches' own words say more than "must match a schema".
    const branches = errors.filter((error) => error.keyword !== 'anyOf' && error.keyword !== 'oneOf');
    const unique = new Map<string, Issue>();
    for (const error of branches.length > 0 ? branches : errors) {
      const { path, message } = describe(error);
      const issue = { path: shownPath(path), message };
      unique.set(`${issue.path} ${message}`, issue);
      if (unique.size === MAX_ISSUES) break;
    }
    return [...unique.values()];
  }

  /** Throws INVALID_ARGUMENT with the issues; the message names the first. */
  checkArguments(schema: object, value: unknown): void {
    const issues = this.issues(schema, value);
    if (issues.length > 0) throw invalid(issues);
  }
}

function faultsOf(ajv: Ajv2020, schema: object, value: unknown): readonly ErrorObject[] {
  const validate = ajv.compile(schema); // compiled once for each schema object
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  validate.errors = null; // they hold the value, which may be large
  return errors;
}

function isLarge(value: unknown): boolean {
  const parts = [value];
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue;
    const inner: unknown[] = Object.values(part);
    if (parts.length + inner.length > MAX_PARTS) return true;
    parts.push(...inner);
  }
  return false;
}

/** Throws INVALID_ARGUMENT for a value that not every database stores unchanged, or that is nested too deeply. */
export function refuseUnstorable(value: unknown): void {
  const bad = findUnstorable(value);
  if (!bad) return;
  throw invalidArgument(
    bad.path,
    bad.fault === 'depth'
      ? `must not be nested deeper than ${MAX_DEPTH} levels`
      : 'must be well-formed Unicode without the NUL character',
  );
}

export function invalid(issues: readonly Issue[]): ServiceError {
  const [first] = issues as [Issue];
  const field = first.path.slice(1).replaceAll('/', '.') || 'arguments';
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more in details.issues)` : '';
  return new ServiceError('INVALID_ARGUMENT', `${field}: ${first.message}${more}`, { details: { issues } });
}

function describe(error: ErrorObject): Issue {
  const path = error.instancePath;
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return { path: `${path}/${String(params['missingProperty'])}`, message: 'is required' };
    case 'additionalProperties': {
      const name = String(params['additionalProperty']);
      const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
      return {
        path: `${path}/${pointer(name)}`,
        message: `is not a known field. ${suggest(name.slice(0, 64), known)}`,
      };
    }
    case 'enum':
      return { path, message: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}` };
    case 'format':
      if (params['format'] === 'date-time') {
        const day = (error.parentSchema as { 'x-day'?: string })['x-day'];
        const orDay = day === undefined ? '' : ', or a day of UTC, such as 2026-01-31';
        return { path, message: `must be an RFC 3339 time, such as 2026-01-31T00:00:00Z${orDay}` };
      }
      return { path, message: error.message ?? 'is not valid' };
    case 'type': {
      const fields = Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
      if (params['type'] === 'object' && fields.length > 0)
        return { path, message: `must be object, with ${fields.slice(0, MAX_FIELDS).join(', ')}` };
      if (params['type'] === 'array') return { path, message: 'must be array: put one item into [] too' };
      if (params['type'] === 'boolean') return { path, message: 'must be true or false' };
      return { path, message: error.message ?? 'is not valid' };
    }
    case 'minLength':
    case 'maxLength':
      return { path, message: countMessage(error, 'character') };
    case 'minItems':
    case 'maxItems':
      return { path, message: countMessage(error, 'item') };
    case 'maxProperties':
      return { path, message: countMessage(error, 'field') };
    case 'uniqueItems':
      return { path, message: 'must not have the same item twice' };
    case 'const':
      return { path, message: `must be ${JSON.stringify(params['allowedValue'])}` };
    case 'pattern': {
      const schema = error.parentSchema as { 'x-listed-by'?: string; 'x-found-by'?: string };
      const listedBy = schema['x-found-by'] ?? schema['x-listed-by'];
      if (listedBy) return { path, message: `must be an id, not a name: ${howToGetIds(listedBy)}` };
      if (params['pattern'] === '\\S')
        return { path, message: error.data === '' ? EMPTY : 'must not be blank' };
      if (params['pattern'] === EMAIL)
        return { path, message: 'must be an e-mail address, such as ann@example.org' };
      return { path, message: `must match ${String(params['pattern'])}` };
    }
    default:
      return { path, message: error.message ?? 'is not valid' };
  }
}

/** `must have at most 300 characters` */
function countMessage({ keyword, params }: ErrorObject, unit: string): string {
  const limit = Number((params as { readonly limit?: unknown }).limit);
  if (keyword.startsWith('min') && limit === 1) return EMPTY;
  const bound = keyword.startsWith('min') ? 'at least' : 'at most';
  return `must have ${bound} ${limit.toLocaleString('en-US')} ${unit}${limit === 1 ? '' : 's'}`;
}

function pointer(name: string): string {
  return name.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The checks of this deployment, for values that are not arguments. */
export function schemaChecks(validators: Validators): SchemaChecks {
  return {
    check(schema, value) {
      refuseUnstorable(value);
      validators.checkArguments(schema, value);
    },
  };
}
