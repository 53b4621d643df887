import { provide, token } from '@service-mcp/core';
import { openModelService, ProviderFailure, type RequestLimits } from '@service-mcp/plugin-search/contract';
import { aiConfig, type AiConfig } from '../config.js';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ChatReply {
  readonly content: string;
  /** Prompt and reply, as the service counts them; undefined where it does not. */
  readonly tokens: number | undefined;
}

/** A language model behind an OpenAI-compatible endpoint. */
export interface ChatModel {
  /**
   * The reply of the model, which should be JSON of the schema. Throws ProviderFailure where there is no usable answer after
   * some attempts, and the reason of `signal`. `onRetry` is told of each request that failed before the last one.
   */
  complete(
    messages: readonly ChatMessage[],
    schema: object,
    limits: Required<Pick<RequestLimits, 'onRetry'>> & { readonly signal: AbortSignal },
  ): Promise<ChatReply>;
}

/** `model` is undefined where none is configured. */
export interface ChatModels {
  readonly model: ChatModel | undefined;
}
export const ChatModels = token<ChatModels>('ai.ChatModels');

const ATTEMPTS = 3;
/** Of an answer, for each token that it may have: more is not what was asked for, and costs the service to read. */
const CHARACTERS_A_TOKEN = 16;
/** JSON is asked for by its schema, else as any JSON; what asks for neither is asked by the prompt alone. */
const bySchema = (schema: object) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'plan', strict: true, schema } },
});
const asJson = () => ({ response_format: { type: 'json_object' } });
/** Models that reason refuse `max_tokens` and `temperature`. */
const sampled = (tokens: number) => ({ temperature: 0, max_tokens: tokens });
const reasoned = (tokens: number) => ({ max_completion_tokens: tokens });

/** Parameters of a request, the best first: services and models refuse what they do not know. */
const FORMS: ReadonlyArray<(schema: object, tokens: number) => object> = [
  (schema, tokens) => ({ ...sampled(tokens), ...bySchema(schema) }),
  (schema, tokens) => ({ ...reasoned(tokens), ...bySchema(schema) }),
  (_, tokens) => ({ ...sampled(tokens), ...asJson() }),
  (_, tokens) => ({ ...reasoned(tokens), ...asJson() }),
  (_, tokens) => sampled(tokens),
  (_, tokens) => reasoned(tokens),
];

export const chatModels = provide(ChatModels, {
  uses: { config: aiConfig.token },
  create: ({ config }): ChatModels => ({ model: openChatModel(config) }),
});

function openChatModel(config: AiConfig): ChatModel | undefined {
  const { chat_url: url, chat_model: model, chat_key: key } = config;
  if (url === undefined) return undefined;
  if (model === undefined)
    throw new Error('chat_url is set, but chat_model is not: set it, or take chat_url out');
  const service = openModelService({ url, endpoint: 'chat/completions', key, retryMs: config.chat_retry_ms });
  let form = 0;
  return {
    async complete(messages, schema, { signal, onRetry }) {
      const limits = { attempts: ATTEMPTS, timeoutMs: config.chat_timeout_ms, signal, onRetry };
      const tokens = config.chat_reply_tokens;
      const read = (reply: unknown) => readReply(reply, CHARACTERS_A_TOKEN * tokens);
      for (let asked = form; ; asked++) {
        try {
          const request = { model, messages, ...FORMS[asked]!(schema, tokens) };
          const reply = await service.post(request, read, limits);
          form = Math.max(form, asked); // the others were refused, not the prompt
          return reply;
        } catch (error) {
          const isLast = asked === FORMS.length - 1;
          if (!(error instanceof ProviderFailure) || !error.refused || isLast) throw error;
          onRetry(error);
        }
      }
    },
  };
}

interface Completion {
  readonly choices?: ReadonlyArray<{
    readonly finish_reason?: unknown;
    readonly message?: { readonly content?: unknown };
  }>;
  readonly usage?: { readonly total_tokens?: unknown } | null;
}

function readReply(reply: unknown, mostCharacters: number): ChatReply {
  const { choices, usage } = (reply ?? {}) as Completion; // of a foreign service: each field is checked
  const choice = Array.isArray(choices) ? (choices as NonNullable<Completion['choices']>)[0] : undefined;
  const content = choice?.message?.content;
  const total = usage?.total_tokens;
  const tokens = typeof total === 'number' && total >= 0 ? Math.ceil(total) : undefined;
  const refuse = (reason: string) => new ProviderFailure(reason, { tokens });
  if (choice?.finish_reason === 'length') throw refuse('its answer was cut off: raise chat_reply_tokens');
  if (typeof content !== 'string' || content.trim() === '')
    throw refuse('its reply has no text: check that the address is that of chat completions');
  if (content.length > mostCharacters)
    throw refuse('its answer is far longer than chat_reply_tokens: check the model');
  return { content, tokens };
}
