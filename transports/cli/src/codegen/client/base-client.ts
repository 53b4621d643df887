import type { z } from 'zod';
import { ServiceError } from './error.js';
import { assertToolset, listTools, ToolsetMismatch, type Toolset } from './toolset.js';
import { post, record, type CallOptions, type ConnectionOptions } from './wire.js';

/** Options of the client. */
export interface ClientOptions extends ConnectionOptions {
  /**
   * The reaction when the service's toolset differs from the one the client was generated for: `throw` (default),
   * `ignore`, which does not request the toolset at all, or a function that is called before the client continues.
   */
  readonly onMismatch?: 'throw' | 'ignore' | ((mismatch: ToolsetMismatch) => void) | undefined;
}

/** The base of all generated clients: one POST for each call, and a check of the toolset before the first. */
export class BaseClient {
  readonly #options: ClientOptions;
  readonly #toolset: Toolset;
  #checked: Promise<void> | undefined;

  constructor(options: ClientOptions, toolset: Toolset) {
    this.#options = options;
    this.#toolset = toolset;
  }

  /** Compares the service's toolset with the client's, once. The first call does it too, unless onMismatch is `ignore`. */
  connect(options: CallOptions = {}): Promise<void> {
    this.#checked ??= this.#check(options).catch((thrown: unknown) => {
      this.#checked = undefined; // the next call checks again
      throw thrown;
    });
    return this.#checked;
  }

  async #check(options: CallOptions): Promise<void> {
    const { onMismatch = 'throw' } = this.#options;
    const listed = await listTools(this.#options, this.#toolset.name, options);
    await assertToolset(this.#toolset, listed).catch((thrown: unknown) => {
      if (!(thrown instanceof ToolsetMismatch) || onMismatch === 'throw') throw thrown;
      if (onMismatch !== 'ignore') onMismatch(thrown);
    });
  }

  /** Checks the arguments, calls the tool, checks its result. */
  protected async invoke<Input, Output>(
    tool: {
      readonly name: string;
      readonly input: z.ZodType<unknown, Input>;
      readonly output: z.ZodType<Output>;
    },
    input: Input,
    options: CallOptions = {},
  ): Promise<Output> {
    const issues = issuesOf(tool.input, input);
    if (issues.length > 0) {
      const [first] = issues;
      const message = `${first?.path.slice(1) || 'arguments'}: ${first?.message}`;
      throw new ServiceError('INVALID_ARGUMENT', message, { details: { issues } });
    }
    // Other calls may wait for the same check, so the signal of this one does not abort it.
    if (this.#options.onMismatch !== 'ignore') await this.connect({ timeoutMs: options.timeoutMs });
    const params = { name: tool.name, arguments: input };
    const request = { method: 'tools/call', name: tool.name, params };
    const result = await post(this.#options, this.#toolset.name, request, options);
    if (result['isError'] === true) throw failureOf(result);
    if (result['resultType'] === 'input_required') {
      throw new ServiceError('UNAVAILABLE', `${tool.name} asks a question, which this client cannot answer.`);
    }
    // A tool without an output schema has only content.
    const value = result['structuredContent'] ?? { content: result['content'] };
    const faults = issuesOf(tool.output, value);
    if (faults.length === 0) return value as Output; // checked just before
    throw new ServiceError(
      'UNEXPECTED_REPLY',
      `${tool.name} answered with a result that does not match its schema. Run service-mcp codegen again.`,
      { details: { issues: faults } },
    );
  }
}

/** The issues that a schema has with a value, with JSON Pointers, as the service reports them. */
function issuesOf(schema: z.ZodType, value: unknown): readonly { path: string; message: string }[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => ({
    path: path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    message,
  }));
}

/** A result with `isError`: the service's own code, or another server's text. */
function failureOf(result: Readonly<Record<string, unknown>>): ServiceError {
  const { code, message, details } = record(record(result['_meta'])?.['service-mcp/error']) ?? {};
  if (typeof code === 'string') return new ServiceError(code, String(message), { details: record(details) });
  const blocks = Array.isArray(result['content']) ? (result['content'] as unknown[]) : [];
  const texts = blocks.map((block) => record(block)?.['text']).filter((text) => typeof text === 'string');
  return new ServiceError('INTERNAL', texts.join('\n') || 'The tool failed without a message.');
}
