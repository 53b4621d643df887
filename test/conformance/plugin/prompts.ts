import { definePrompt, inputRequired, type ContentBlock, type PromptMessage } from '@service-mcp/core';
import { access, PNG } from './declare.js';
import { accepted, form } from './asking.js';

const declared = { access, uses: {} } as const;
const argument = (name: string, description: string) => ({ name, description, required: true });

function user(content: ContentBlock): PromptMessage {
  return { role: 'user', content };
}

const words = (text: string) => user({ type: 'text', text });

export const prompts = [
  definePrompt({
    ...declared,
    name: 'test_simple_prompt',
    title: 'Simple',
    description: 'One text.',
    arguments: [],
    render: async () => [words('This is a simple prompt for testing.')],
  }),
  definePrompt({
    ...declared,
    name: 'test_prompt_with_arguments',
    title: 'With arguments',
    description: 'A text made of two arguments.',
    arguments: [argument('arg1', 'The first.'), argument('arg2', 'The second.')],
    render: async ({ arg1, arg2 }) => [words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    complete: async (_argument, value) => ['testing', 'tests'].filter((word) => word.startsWith(value)),
  }),
  definePrompt({
    ...declared,
    name: 'test_prompt_with_embedded_resource',
    title: 'With a resource',
    description: 'A resource, and what to do with it.',
    arguments: [argument('resourceUri', 'The address of the resource.')],
    async render({ resourceUri = '' }) {
      const text = 'Embedded resource content for testing.';
      return [
        user({ type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text } }),
        words('Please process the embedded resource above.'),
      ];
    },
  }),
  definePrompt({
    ...declared,
    name: 'test_prompt_with_image',
    title: 'With an image',
    description: 'An image, and what to do with it.',
    arguments: [],
    render: async () => [
      user({ type: 'image', data: PNG, mimeType: 'image/png' }),
      words('Please analyze the image above.'),
    ],
  }),
  definePrompt({
    ...declared,
    name: 'test_input_required_result_prompt',
    title: 'That asks',
    description: 'Asks a person for the context first.',
    arguments: [],
    async render(_args, _deps, call) {
      const context = accepted(call, 'user_context')?.['context'];
      if (typeof context === 'string') return [words(`In the context of ${context}.`)];
      const schema = form({ context: { type: 'string' } });
      const message = 'What context should the prompt use?';
      return inputRequired([{ name: 'user_context', message, schema }]);
    },
  }),
];
