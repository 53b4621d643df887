import { Type } from 'typebox';

/** The trivial work of every server in the benchmark: return the validated input. */
export const EchoInput = Type.Object(
  {
    text: Type.String({ maxLength: 1000, description: 'The text' }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'A number' }),
  },
  { additionalProperties: false },
);

export const EchoOutput = Type.Object(
  { text: Type.String(), limit: Type.Integer(), length: Type.Integer() },
  { additionalProperties: false },
);

export interface Echo {
  readonly text: string;
  readonly limit: number;
}

export async function echo({ text, limit }: Echo): Promise<Echo & { readonly length: number }> {
  return { text, limit, length: text.length };
}
