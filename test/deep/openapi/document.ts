import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type Schema = Readonly<Record<string, unknown>>;

interface Content {
  readonly [type: string]: { readonly schema: Schema; readonly 'x-last-line'?: Schema };
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>;
  readonly 'x-effect'?: string;
}

export interface Place {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

type Json = Readonly<Record<string, unknown>>;

/** Reads an OpenAPI document: its operations, its schemas, and what it says of an answer. */
export class Document {
  readonly operations: readonly Place[];
  readonly #root: Json;
  readonly #ajv: Ajv2020;

  constructor(root: Json) {
    this.#root = root;
    this.#ajv = new Ajv2020({ strict: false });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(root, 'openapi');
    const paths = root['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    this.operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    );
  }

  /** The schema that a reference leads to. */
  resolve(schema: Schema): Schema {
    const { $ref } = schema;
    if (typeof $ref !== 'string') return schema;
    const parts = $ref.slice(2).split('/');
    return this.resolve(parts.reduce<Json>((at, part) => at[part] as Json, this.#root));
  }

  /** What is wrong with an answer by the document; undefined where nothing is. `text` is undefined for a stream without end. */
  faultOf(place: Place, status: number, type: string, text: string | undefined): string | undefined {
    const stated = place.operation.responses[status];
    if (!stated) return `the status ${status} is not documented`;
    const pointer =
      stated.$ref === undefined
        ? pointerOf('paths', place.path, place.method, 'responses', String(status))
        : stated.$ref.slice(1);
    const { content } = this.resolve(stated) as { content?: Content };
    if (!content) return text === '' ? undefined : `status ${status} has a body that is not documented`;
    const stands = content[type];
    if (!stands) return `status ${status} is not documented as ${type}`;
    if (text === undefined) return undefined;
    const inContent = `${pointer}${pointerOf('content', type)}`;
    if (type === 'application/json') return this.#refusal(`${inContent}/schema`, text);
    if (stands['x-last-line'])
      return this.#refusal(`${inContent}/x-last-line`, text.trimEnd().split('\n').at(-1) ?? '');
    return undefined;
  }

  #refusal(pointer: string, text: string): string | undefined {
    const validate = this.#ajv.getSchema(`openapi#${pointer}`) as ValidateFunction;
    if (validate(JSON.parse(text))) return undefined;
    return `its schema refuses the answer: ${this.#ajv.errorsText(validate.errors)}`;
  }
}

/** A JSON Pointer as the fragment of an address. */
function pointerOf(...parts: string[]): string {
  const escaped = parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
  return escaped.map((part) => `/${part}`).join('');
}
