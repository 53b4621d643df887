import assert from 'node:assert/strict';
import { startHosted, type Account, type Hosted } from './start-hosted.js';
import { FORM_BODY, ask, post } from './raw-http.js';
import { PASSWORD } from './start-team.js';

const WRONG = 'a wrong password';

describe('threat: enumeration at login', () => {
  let service: Hosted;
  let ann: Account;
  const many = { login_tries: 100_000, login_tries_per_email: 100_000, login_tries_per_peer: 100_000 };
  before(async () => {
    service = await startHosted({ auth: many });
    ann = await service.account('ann');
  });
  after(() => service.stop());

  const byApi = (email: string) => post(service.url, '/v1/auth/login', { email, password: WRONG });
  const byPage = (email: string) =>
    ask(service.url, '/oauth/login', {
      method: 'POST',
      headers: { ...FORM_BODY, origin: service.url },
      body: new URLSearchParams({ email, password: WRONG }).toString(),
    });

  it('answers the same to the letter, by the API and by the page', async () => {
    const unknown = 'abc@example.com'; // as long as the known one
    for (const way of [byApi, byPage]) {
      const [known, other] = [await way(ann.email), await way(unknown)];
      const bare = (text: string) =>
        text
          .replace(/"metadata":\{[^}]*\}/, '')
          .replaceAll(ann.email, 'X')
          .replaceAll(unknown, 'X');
      assert.deepEqual([known.status, bare(known.text)], [other.status, bare(other.text)]);
      const names = ({ headers }: typeof known) => Object.keys(headers).sort();
      assert.deepEqual(names(known), names(other));
    }
  });

  it('nor does a registration, an invitation or a password link reveal more than it must', async () => {
    const reset = await post(service.url, '/v1/auth/password', {
      reset_token: 'svc_pw_x',
      new_password: PASSWORD,
    });
    assert.equal(reset.status, 401);
    assert.ok(!reset.text.includes('@'));
  });
});

describe('threat: guessing passwords', () => {
  describe('from peers that claim to be others', () => {
    let service: Hosted;
    let ann: Account;
    before(async () => {
      service = await startHosted({ auth: { login_tries: 5 } });
      ann = await service.account('ann');
    });
    after(() => service.stop());

    it('X-Forwarded-For from an untrusted client changes nothing', async () => {
      const statuses: number[] = [];
      for (let i = 0; i < 8; i++) {
        const forged = {
          'x-forwarded-for': `203.0.113.${i}`,
          forwarded: `for=203.0.113.${i}`,
          'x-real-ip': `203.0.113.${i}`,
        };
        const answer = await post(
          service.url,
          '/v1/auth/login',
          { email: ann.email, password: WRONG },
          forged,
        );
        statuses.push(answer.status);
      }
      assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429, 429]);
    });

    it('nor another spelling of the address, nor the right password while it lasts, nor another way in', async () => {
      for (const email of [ann.email, ann.email.toUpperCase(), ` ${ann.email}`.trim(), 'Ann@Example.com']) {
        const answer = await post(service.url, '/v1/auth/login', { email, password: PASSWORD });
        assert.equal(answer.status, 429, email);
        assert.match(String(answer.headers['retry-after']), /^\d+$/);
      }
      const page = await ask(service.url, '/oauth/login', {
        method: 'POST',
        headers: { ...FORM_BODY, origin: service.url },
        body: new URLSearchParams({ email: ann.email, password: PASSWORD }).toString(),
      });
      assert.equal(page.status, 429);
      assert.equal(page.headers['set-cookie'], undefined);
      const rpc = await post(service.url, '/api/v1/tools/auth_login', {
        email: ann.email,
        password: PASSWORD,
      });
      assert.ok([401, 429].includes(rpc.status), rpc.text);
    });
  });

  describe('behind a trusted proxy', () => {
    let service: Hosted;
    let ann: Account;
    before(async () => {
      service = await startHosted({
        server: { trusted_proxies: ['loopback'] },
        auth: { login_tries: 3, login_tries_per_email: 7, login_tries_per_peer: 12 },
      });
      ann = await service.account('ann');
    });
    after(() => service.stop());
    const from = async (peer: string, email: string) => {
      const body = { email, password: WRONG };
      return (await post(service.url, '/v1/auth/login', body, { 'x-forwarded-for': peer })).status;
    };

    it('counts the client that the proxy saw, not the addresses that the client sent', async () => {
      const statuses: number[] = [];
      for (let i = 0; i < 5; i++) statuses.push(await from(`10.9.9.${i}, 198.51.100.1`, ann.email));
      assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
      assert.equal(await from('198.51.100.2', ann.email), 401, 'another client');
    });

    it('many peers on one address are counted together', async () => {
      const email = 'target@example.com';
      const statuses: number[] = [];
      for (let i = 0; i < 9; i++) statuses.push(await from(`192.0.2.${i}`, email));
      assert.deepEqual(statuses.slice(0, 7), Array(7).fill(401));
      assert.deepEqual(statuses.slice(7), [429, 429]);
    });

    it('one peer on many addresses is counted together', async () => {
      const statuses: number[] = [];
      for (let i = 0; i < 14; i++) statuses.push(await from('192.0.2.200', `victim${i}@example.com`));
      assert.deepEqual(statuses.slice(0, 12), Array(12).fill(401));
      assert.deepEqual(statuses.slice(12), [429, 429]);
    });
  });

  it('many at once get through no oftener than one after another', async () => {
    const service = await startHosted({ auth: { login_tries: 5 } });
    try {
      const ann = await service.account('ann');
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          post(service.url, '/v1/auth/login', { email: ann.email, password: WRONG }),
        ),
      );
      const tried = answers.filter(({ status }) => status === 401).length;
      assert.equal(tried, 5);
    } finally {
      await service.stop();
    }
  });
});
