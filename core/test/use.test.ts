import assert from 'node:assert/strict';
import { inputRequired } from '@service-mcp/core';
import { callerWith, testHost, type TestHost } from '@service-mcp/core/testing';
import { demo, echo } from './fixtures.js';

/** Asks for a colour, then for the folders of the client, and gives back both answers. */
const asking = echo({
  handler: (_input, _deps, call) => {
    const { answers = {}, answersTo = '' } = call;
    const text = `${answersTo}${JSON.stringify(answers)}`;
    if ('folders' in answers) return Promise.resolve({ text });
    return Promise.resolve(
      'colour' in answers
        ? inputRequired([{ name: 'folders', method: 'roots/list', params: {} }], { state: text })
        : inputRequired([{ name: 'colour', message: 'Which colour?', schema: {} }]),
    );
  },
});

describe('the testing kit: use', () => {
  let host: TestHost;
  before(async () => {
    host = await testHost({ plugins: [demo([asking])], workers: false });
  });
  after(() => host.stop());

  it('answers each question as a client does, one round after the other', async () => {
    const answers = { colour: { name: 'red' }, folders: { roots: [] } };
    const { text } = await host.use<{ text: string }>('demo_echo', {}, { answers });
    assert.equal(text, '{"colour":{"action":"accept","content":{"name":"red"}}}{"folders":{"roots":[]}}');
    const declined = await host.use<{ text: string }>(
      'demo_echo',
      {},
      {
        answers: { ...answers, colour: 'decline' },
      },
    );
    assert.match(declined.text, /^\{"colour":\{"action":"decline"\}\}/);
  });

  it('names a question that the test does not answer', async () => {
    await assert.rejects(host.use('demo_echo'), /demo_echo asks for "colour": Which colour\?/);
    const answers = { colour: {} };
    await assert.rejects(host.use('demo_echo', {}, { answers }), /asks for "folders": roots\/list/);
  });

  it('calls as another caller, and leaves the arguments as they are', async () => {
    const as = callerWith({ scopes: ['other:read'] });
    await assert.rejects(host.use('demo_echo', {}, { as }), { code: 'PERMISSION_DENIED' });
    const args = {};
    await host.use('demo_echo', args, { answers: { colour: {}, folders: {} } });
    assert.deepEqual(args, {});
    await assert.rejects(host.member('w1', 'viewer'), /no plugin of this host keeps memberships/);
  });
});
