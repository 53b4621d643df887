import { inputRequired } from '@service-mcp/core';
import { accepted, form } from './asking.js';
import { say, tool } from './declare.js';

const OK = form({ ok: { type: 'boolean' } });
const CONFIRM = { name: 'confirm', message: 'Please confirm', schema: OK };

/** Asks for a confirmation and goes on where its state comes back with it. */
const confirmed = (name: string) =>
  tool(name, 'Asks a person to confirm, and keeps a state meanwhile.', async (call) => {
    const answer = accepted(call, 'confirm');
    return answer && call.answersTo === 'confirming'
      ? say('state-ok')
      : inputRequired([CONFIRM], { state: 'confirming' });
  });

/** Tools that keep a state while the client is asked. */
export const roundTools = [
  confirmed('test_input_required_result_request_state'),
  confirmed('test_input_required_result_tampered_state'),
  tool('test_input_required_result_multiple_inputs', 'Asks for three things at once.', async (call) => {
    const names = ['user_name', 'greeting', 'client_roots'];
    if (names.every((name) => call.answers?.[name] !== undefined)) return say('All answered.');
    return inputRequired(
      [
        { name: 'user_name', message: 'What is your name?', schema: form({ name: { type: 'string' } }) },
        {
          name: 'greeting',
          method: 'sampling/createMessage',
          params: {
            messages: [{ role: 'user', content: { type: 'text', text: 'Generate a greeting' } }],
            maxTokens: 50,
          },
        },
        { name: 'client_roots', method: 'roots/list', params: {} },
      ],
      { state: 'three things' },
    );
  }),
  tool('test_input_required_result_multi_round', 'Asks twice.', async (call) => {
    const name = accepted(call, 'step1')?.['name'];
    if (typeof name === 'string') {
      const schema = form({ color: { type: 'string' } });
      return inputRequired([{ name: 'step2', message: 'Step 2: What is your favorite color?', schema }], {
        state: name,
      });
    }
    const color = accepted(call, 'step2')?.['color'];
    if (typeof color === 'string') return say(`${call.answersTo} likes ${color}.`);
    const schema = form({ name: { type: 'string' } });
    return inputRequired([{ name: 'step1', message: 'Step 1: What is your name?', schema }], {
      state: 'nobody yet',
    });
  }),
];
