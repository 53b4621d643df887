import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { redact } from '@service-mcp/core';

describe('the log', () => {
  it('ends no process where its lines cannot be written', function () {
    if (process.platform !== 'linux') return this.skip(); // needs /dev/full
    const program = `
      import { createLog } from ${JSON.stringify(import.meta.resolve('@service-mcp/core/host'))};
      const log = createLog('info');
      for (let line = 0; line < 2_000; line += 1) log.info({ text: 'x'.repeat(900) }, 'a line');
      console.log('still here');`;
    const full = openSync('/dev/full', 'w');
    try {
      const args = ['--conditions=unbundled', '--input-type=module', '--eval', program];
      const { status, stdout } = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', full] });
      assert.deepEqual([status, stdout.toString()], [0, 'still here\n']);
    } finally {
      closeSync(full);
    }
  });

  it('censors fields with secret names, at any depth and in any spelling', () => {
    const logged = redact({
      password: 'p1',
      user: { current_password: 'p2', deep: [{ Authorization: 'Bearer p3', cookies: { a: 'p4' } }] },
      apiKey: 'p5',
      api_key: 'p6',
      refresh_token: { nested: 'p7' },
      client_secret: 'p8',
      'X-Service-API-Key': 'p9',
      'x-service-jwt': 'p10',
      name: 'ann',
    });
    assert.ok(!/p\d+\b/.test(JSON.stringify(logged)));
    assert.equal((logged as { name: string }).name, 'ann');
  });

  it('scrubs the parameters of addresses, also inside errors and their causes', () => {
    const cause = new Error('GET https://x.example/cb?code=c0de&state=5tate&page=2 failed');
    const logged = JSON.stringify(
      redact({ err: new Error('no https://x/?access_token=t0ken#top', { cause }) }),
    );
    assert.ok(!/c0de|5tate|t0ken/.test(logged));
    assert.match(logged, /page=2/);
    assert.match(logged, /"stack"/);
  });

  it('scrubs the passwords of addresses, and keeps whose they are', () => {
    const told =
      'no answer of postgres://svc:hunter2@db:5432/x?a=1 and redis://:hunter2@cache, see https://x/a:b@c';
    const logged = redact({ url: 'postgres://svc:hunter2@db/x', err: new Error(told) }) as {
      url: string;
      err: { message: string };
    };
    assert.equal(logged.url, 'postgres://svc:••••@db/x');
    assert.equal(logged.err.message, told.replaceAll('hunter2', '••••'));
    for (const password of ['p@ss:w0rd', 'pa/ss', 'hunter2/x@db'])
      assert.equal(redact(`input: 'postgres://svc:${password}@db/x'`), `input: 'postgres://svc:••••@db/x'`);
  });

  it('cuts messages of errors and fields, which may hold texts of users, and has a message once', () => {
    const text = `no ${'x'.repeat(5000)}\n    at ${'x'.repeat(5000)}`;
    const logged = redact({ err: new Error(text), path: text, deep: [{ text }] }) as {
      err: { message: string; stack: string };
      path: string;
      deep: Array<{ text: string }>;
    };
    for (const cut of [logged.err.message, logged.path, logged.deep[0]?.text ?? ''])
      assert.ok(cut.length < 520 && cut.startsWith('no xxx'), cut);
    assert.ok(!logged.err.stack.includes('xxx'));
    assert.match(logged.err.stack, /^ {4}at /);
  });

  it('keeps the end of a message that it cuts: the reason, after the statement of a query', () => {
    const statement = `insert into "notes" values ${'($1, $2), '.repeat(200)}`;
    const logged = redact(new Error(`${statement} - the reason`)) as { message: string };
    assert.match(logged.message, /^insert into "notes" .*\(cut\).* - the reason$/);
  });

  it('knows keys and tokens of the service by their prefix, wherever they stand', () => {
    const secrets = ['svc_live_0123456789abcdef', 'svc_rt_a-b_cdefghijk', 'svc_in_0123456789'];
    const [key, token, invitation] = secrets;
    const logged = JSON.stringify(
      redact({ note: `sent ${key}`, path: `/nowhere/${token}`, err: new Error(`?invitation=${invitation}`) }),
    );
    for (const secret of secrets) assert.ok(!logged.includes(secret), logged);
    assert.match(logged, /sent svc_live_•/);
    const begin = `${'x'.repeat(480)} ${secrets[0]}`;
    assert.doesNotMatch(JSON.stringify(redact({ begin })), /0123/, 'a key is cut after it is censored');
  });

  it('omits rows and statements from database errors', () => {
    const told = { detail: 'r0w (ann)', where: 'r0w', hint: 'r0w', internalQuery: 'r0w', query: 'r0w' };
    const cause = Object.assign(new Error('duplicate key'), told, { parameters: ['r0w'], bindings: ['r0w'] });
    const logged = redact({
      err: new Error('no', { cause: Object.assign(cause, { code: '23505', table: 'users' }) }),
    });
    assert.doesNotMatch(JSON.stringify(logged), /r0w/);
    assert.match(JSON.stringify(logged), /"code":"23505","table":"users"/);
    assert.deepEqual(redact({ detail: 'kept', query: 'kept' }), { detail: 'kept', query: 'kept' });
  });

  it('stops at circular references', () => {
    const ring: Record<string, unknown> = {};
    ring['ring'] = ring;
    assert.match(JSON.stringify(redact(ring)), /deeper/);
  });
});
