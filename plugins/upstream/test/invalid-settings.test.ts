import assert from 'node:assert/strict';
import { gatewayTo } from './gateway.js';

const SERVICE = 'http://127.0.0.1:9';

describe('upstream: invalid settings', () => {
  const refused: ReadonlyArray<readonly [string, string, object, RegExp]> = [
    ['an address of another protocol', 'ftp://127.0.0.1', {}, /not an http or https address/],
    ['a credential in the address', 'http://me:word@127.0.0.1', {}, /belongs in SERVICE_API_KEY/],
    ['a query in the address', 'http://127.0.0.1/?key=1', {}, /a query or a fragment/],
    ['an MCP endpoint', 'http://127.0.0.1:8080/mcp', {}, /is the address of an MCP endpoint/],
    ['not an address', 'nowhere', {}, /upstream\.url in the deployment file/],
    ['a short secret', SERVICE, { jwt_secret: 'short' }, /has 5 bytes; it needs 32[^]*openssl rand/],
    ['a repeated secret', SERVICE, { jwt_secret: 'abcdefghij'.repeat(4) }, /a repeated pattern/],
    [
      'a known secret',
      SERVICE,
      { jwt_secret: 'your-very-secret-jwt-signing-key-change-me-please' },
      /common words/,
    ],
    ['a key with a line break', SERVICE, { api_key: 'a\nb' }, /upstream\.api_key/],
    ['an unknown field', SERVICE, { api_kye: 'a' }, /Did you mean "api_key"/],
  ];
  for (const [what, url, settings, message] of refused) {
    it(`${what} is named, with a remedy`, async () => {
      await assert.rejects(gatewayTo(url, { ...settings }), (error: Error) => {
        assert.equal(error.name, 'BootError');
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /me:word|abcdefghij|change-me/, 'a secret is in the message');
        return true;
      });
    });
  }
});
