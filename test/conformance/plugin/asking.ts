import { inputRequired, type AdmittedCall, type InputRequest } from '@service-mcp/core';
import { Type } from 'typebox';
import { closed, say, tool, toolWith } from './declare.js';

type Schema = Readonly<Record<string, unknown>>;

/** A form with these fields, all of them required. */
export function form(properties: Schema): Schema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

const TEXT = { type: 'string' };
const NAME = form({ name: TEXT });

/** The values that a person filled in; undefined for a question that was declined or not answered. */
export function accepted(call: AdmittedCall, name: string): Readonly<Record<string, unknown>> | undefined {
  const answer = call.answers?.[name] as { action?: string; content?: Schema } | undefined;
  return answer?.action === 'accept' ? answer.content : undefined;
}

function sampling(name: string, text: string, maxTokens = 100): InputRequest {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return { name, method: 'sampling/createMessage', params: { messages, maxTokens } };
}

/** Asks a person to fill in a form, and returns the outcome as text. */
function asksForm(
  name: string,
  message: string,
  schema: Schema,
  words: (action: string, content: string) => string,
) {
  return tool(name, 'Asks a person to fill in a form.', async (call) => {
    const answer = call.answers?.['form'] as { action: string; content?: Schema } | undefined;
    if (!answer) return inputRequired([{ name: 'form', message, schema }]);
    return say(words(answer.action, JSON.stringify(answer.content ?? {})));
  });
}

const completed = (action: string, content: string) =>
  `Elicitation completed: action=${action}, content=${content}`;

const STATUSES = ['active', 'inactive', 'pending'];
const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: STATUSES, default: 'active' },
  verified: { type: 'boolean', default: true },
};

const OPTIONS = ['option1', 'option2', 'option3'];
const titled = (word: string) =>
  ['First', 'Second', 'Third'].map((nth, index) => ({ const: `value${index + 1}`, title: `${nth} ${word}` }));
const ENUMS = {
  untitledSingle: { type: 'string', enum: OPTIONS },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
  titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
};

const Message = Type.Object(
  { message: Type.String({ maxLength: 1000, description: 'What to show the person.' }) },
  closed,
);
const Prompt = Type.Object(
  { prompt: Type.String({ maxLength: 1000, description: 'What to ask the model.' }) },
  closed,
);

/** Tools that ask the client one thing. */
export const askingTools = [
  toolWith(
    'test_elicitation',
    'Asks a person for a name and an address.',
    Message,
    async ({ message }, call) => {
      const answer = call.answers?.['person'];
      const schema = form({
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      });
      if (!answer) return inputRequired([{ name: 'person', message, schema }]);
      return say(`User response: ${JSON.stringify(answer)}`);
    },
  ),
  toolWith('test_sampling', 'Asks the model of the client.', Prompt, async ({ prompt }, call) => {
    const answer = call.answers?.['model'] as { content: { text?: string } } | undefined;
    return answer ? say(`LLM response: ${answer.content.text}`) : inputRequired([sampling('model', prompt)]);
  }),
  asksForm('test_elicitation_sep1034_defaults', 'Please check', form(DEFAULTS), completed),
  asksForm('test_elicitation_sep1330_enums', 'Please choose', form(ENUMS), completed),
  asksForm('test_streaming_elicitation', 'What is your name?', NAME, completed),
  tool('test_missing_capability', 'Needs a model of the client.', async (call) =>
    call.answers?.['model'] ? say('Asked.') : inputRequired([sampling('model', 'Say something.')]),
  ),
  tool('test_input_required_result_elicitation', 'Asks a person for a name.', async (call) => {
    const answer = accepted(call, 'user_name');
    if (typeof answer?.['name'] === 'string') return say(`Hello, ${answer['name']}!`);
    return inputRequired([{ name: 'user_name', message: 'What is your name?', schema: NAME }]);
  }),
  tool('test_input_required_result_sampling', 'Asks the model of the client.', async (call) => {
    const answer = call.answers?.['capital_question'] as { content?: { text?: string } } | undefined;
    if (answer?.content?.text !== undefined) return say(answer.content.text);
    return inputRequired([sampling('capital_question', 'What is the capital of France?')]);
  }),
  tool('test_input_required_result_list_roots', 'Asks for the folders of the client.', async (call) => {
    const answer = call.answers?.['client_roots'] as { roots?: readonly { uri: string }[] } | undefined;
    if (answer?.roots) return say(answer.roots.map(({ uri }) => uri).join(', '));
    return inputRequired([{ name: 'client_roots', method: 'roots/list', params: {} }]);
  }),
  tool('test_input_required_result_capabilities', 'Asks whatever the client can be asked.', async (call) =>
    call.answers
      ? say(Object.keys(call.answers).join(', '))
      : inputRequired([
          sampling('model', 'Say something.'),
          { name: 'person', message: 'What is your name?', schema: NAME },
        ]),
  ),
];
