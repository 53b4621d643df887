import { Type } from 'typebox';
import { definePlugin, definePrompt, inputRequired, type AdmittedCall } from '@service-mcp/core';
import { access, closed, empty, reads } from './declare.js';

const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const Answered = Type.Object({ answer: Type.String() }, closed);

const ask = (name: string, message: string, state = '') =>
  inputRequired([{ name, message, schema: CITY }], { state });

function cityIn(call: AdmittedCall, name: string): string | undefined {
  const answer = call.answers?.[name] as { action?: string; content?: { city?: string } } | undefined;
  if (answer === undefined) return undefined;
  return answer.action === 'accept' ? answer.content?.city : answer.action;
}

const tools = [
  reads('ask_city', empty, Answered, async (_input, call) => {
    const city = cityIn(call, 'city');
    return city === undefined ? ask('city', 'Which city?') : { answer: city };
  }),
  reads('ask_twice', empty, Answered, async (_input, call) => {
    const to = cityIn(call, 'to');
    if (to !== undefined) return { answer: `${call.answersTo} to ${to}` };
    const from = cityIn(call, 'from');
    return from === undefined ? ask('from', 'From where?', 'nothing') : ask('to', 'Where to?', from);
  }),
  reads('ask_forever', empty, Answered, async () => ask('city', 'Which city, again?', 'again')),
  reads('ask_all', empty, Answered, async (_input, call) => {
    if (call.answers) return { answer: Object.keys(call.answers).sort().join(' ') };
    return inputRequired([
      { name: 'city', message: 'Which city?', schema: CITY },
      { name: 'model', method: 'sampling/createMessage', params: SAMPLING },
      { name: 'roots', method: 'roots/list', params: {} },
    ]);
  }),
  reads('ask_model', empty, Answered, async (_input, call) => {
    const answer = call.answers?.['model'] as { content: { text: string } } | undefined;
    if (answer) return { answer: answer.content.text };
    return inputRequired([{ name: 'model', method: 'sampling/createMessage', params: SAMPLING }]);
  }),
  reads('ask_roots', empty, Answered, async (_input, call) => {
    const answer = call.answers?.['roots'] as { roots: readonly { uri: string }[] } | undefined;
    if (answer) return { answer: answer.roots.map(({ uri }) => uri).join(' ') };
    return inputRequired([{ name: 'roots', method: 'roots/list', params: {} }]);
  }),
  reads('talk', empty, empty, async (_input, call) => {
    for (const level of ['debug', 'info', 'error'] as const) {
      call.progress?.({ progress: ['debug', 'info', 'error'].indexOf(level) });
      call.notify?.({ level, logger: 'talk', data: { said: level } });
    }
    return {};
  }),
  reads(
    'context',
    Type.Object(
      { mode: Type.Enum(['fast', 'standard', 'pack'], { default: 'standard', description: 'How deep.' }) },
      closed,
    ),
    Answered,
    async ({ mode }) => ({ answer: mode }),
  ),
];

const SAMPLING = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Say something.' } }],
  maxTokens: 10,
};

const prompt = definePrompt({
  name: 'ask_prompt',
  title: 'Ask first',
  description: 'Asks for a city first.',
  arguments: [],
  access,
  uses: {},
  async render(_args, _deps, call) {
    const city = cityIn(call, 'city');
    if (city === undefined) return ask('city', 'Which city?');
    return [{ role: 'user', content: { type: 'text', text: `Go to ${city}.` } }];
  },
});

/** Tools and a prompt that ask or notify the client. */
export const questions = definePlugin({
  id: 'questions',
  description: 'Asks.',
  api: '^1',
  prompts: [prompt],
  toolsets: tools.map((tool, at) => ({
    id: `questions${at}`,
    prefix: tool.name.split('_')[0] ?? '',
    description: 'Asks.',
    tools: [tool],
  })),
});
