import { defineConfig } from '@service-mcp/core';
import { Type, type Static } from 'typebox';

const whole = (description: string, initial: number, minimum: number, maximum: number) =>
  Type.Integer({ description, default: initial, minimum, maximum });

const MAX_SPEND = 1_000_000_000;

const schema = Type.Object(
  {
    chat_url: Type.Optional(
      Type.String({
        description:
          'Address of an OpenAI-compatible service up to /v1, which then writes plans. Requirements, parts of files and decisions are sent there. Default: plans are composed without a model.',
        pattern: '^https?://',
        maxLength: 2000,
        'x-env': 'SERVICE_CHAT_URL',
      }),
    ),
    chat_key: Type.Optional(
      Type.String({
        description: 'Key of the service, sent as a bearer token to chat_url alone',
        minLength: 1,
        'x-env': 'SERVICE_CHAT_KEY',
        'x-secret': true,
      }),
    ),
    chat_model: Type.Optional(
      Type.String({
        description: 'Name of the model, as the service knows it',
        minLength: 1,
        maxLength: 200,
        'x-env': 'SERVICE_CHAT_MODEL',
      }),
    ),
    chat_timeout_ms: whole(
      'Longest time that a plan waits for the model, attempts included; then it is composed without.',
      45_000,
      100,
      600_000,
    ),
    chat_retry_ms: whole('How long a service that failed is left alone.', 10_000, 100, 3_600_000),
    chat_prompt_tokens: whole('Most tokens of evidence sent for a plan.', 12_000, 1000, 200_000),
    chat_reply_tokens: whole('Most tokens of a reply.', 6000, 200, 100_000),
    plan_tokens_per_day: whole(
      'Tokens that the plans of a workspace may spend on the model in a day (UTC); beyond it they are composed without.',
      500_000,
      0,
      MAX_SPEND,
    ),
    plan_tokens_per_month: whole('The same for a month.', 5_000_000, 0, MAX_SPEND),
  },
  { additionalProperties: false },
);
export type AiConfig = Static<typeof schema>;

export const aiConfig = defineConfig('ai', schema);
