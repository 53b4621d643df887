import { closed, defineTool, closedAs } from '@service-mcp/core';
import { Embedders } from '@service-mcp/plugin-search/contract';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { embedTexts } from '../services/embed-texts.js';
import { Tokenizers } from '../services/tokenizers.js';

const MAX_TEXTS = 256;
/** About 8,000 tokens: most models read no more. */
const Text = Type.String({ minLength: 1, maxLength: 32_000 });

export const createEmbeddings = defineTool({
  name: 'ai_embeddings',
  title: 'Embed texts',
  description:
    'Vectors of texts, as the index of the workspace has them: by the provider of the deployment, or the embedder that was trained on the workspace. Compare only vectors of one space_id.',
  input: Type.Object(
    {
      input: Type.Union([Text, Type.Array(Text, { minItems: 1, maxItems: MAX_TEXTS })], {
        description: 'A text, or up to 256 texts',
      }),
      workspace_id: Type.Optional({
        ...WorkspaceId,
        description: 'Required where each workspace has an embedder of its own, and you have several',
      }),
      kind: Type.Enum(['query', 'passage'], {
        default: 'passage',
        description: 'What the texts are: some models read a prefix for it',
      }),
    },
    closed,
  ),
  output: Type.Object(
    {
      model: Type.String(),
      space_id: Type.String({ description: 'Changes with everything that shapes the vectors' }),
      dimensions: Type.Integer(),
      embeddings: Type.Array(Type.Array(Type.Number()), {
        description: 'In the order of the texts, each of length 1',
      }),
      usage: Type.Object(
        { tokens: Type.Integer({ description: 'As the embedder counts them, else of cl100k_base' }) },
        closed,
      ),
      warnings: Type.Array(Type.String()),
    },
    closedAs('Embeddings'),
  ),
  effect: 'read',
  access: { scope: 'ai:read', in: 'visible' },
  http: { method: 'POST', path: '/v1/ai/embeddings' },
  surfaces: ['rest', 'rpc'],
  text: ({ embeddings, dimensions, model, space_id, warnings }) =>
    [
      `${embeddings.length} vectors of ${dimensions} dimensions by ${model}, space ${space_id}: they are in structuredContent.`,
      ...warnings,
    ].join('\n'),
  uses: { embedders: Embedders, tokenizers: Tokenizers },
  async handler({ input, workspace_id, kind }, { embedders, tokenizers }, { admission, signal }) {
    const texts = typeof input === 'string' ? [input] : input;
    const request = { texts, kind, workspaceId: workspace_id };
    const { embedder, embeddings, tokens } = await embedTexts(request, embedders, admission, signal);
    const { spaceId, dimensions, model, warning } = embedder;
    return {
      model,
      space_id: spaceId,
      dimensions,
      embeddings: embeddings.map((vector) => Array.from(vector)),
      usage: { tokens: tokens ?? (await countTokens(texts, tokenizers)) },
      warnings: warning === undefined ? [] : [warning],
    };
  },
});

async function countTokens(texts: readonly string[], tokenizers: Tokenizers): Promise<number> {
  const tokenizer = await tokenizers.open();
  return texts.reduce((sum, text) => sum + tokenizer.count(text), 0);
}
