import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearer, withKey } from '../../security/start-hosted.js';
import { ask, post } from '../../security/raw-http.js';
import { HOSTED_DEPLOYMENT } from '../../start-service.js';
import { PASSWORD } from '../../security/start-team.js';
import { Application, Browser, next, pkce, type Granted } from '../../security/oauth-browser.js';
import { BINARY } from '../../command.js';

const WRONG = 'wr0ng-password-of-somebody';
const SETUP = `svc_su_${'Qk3v9TmZ'.repeat(6).slice(0, 43)}`;
const JWT_SECRET = 'Zk3v9QmT7xLwB2nR8sYc5dFgH1jKp4uEo6iA0zXq';
const FORGED = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJmb3JnZWQifQ.c2lnbmF0dXJlLW9mLWEtZm9yZ2Vy';

interface Running {
  readonly url: string;
  /** Its output for the operator, which has the first link. */
  readonly printed: string;
  stop(): Promise<{ readonly out: string; readonly err: string }>;
}

/** The real binary with accounts, its log at debug. */
async function run(dataDir: string): Promise<Running> {
  const packages = JSON.parse(await readFile(HOSTED_DEPLOYMENT, 'utf8')) as object;
  const config = join(dataDir, 'deployment.json');
  await writeFile(
    config,
    JSON.stringify({ ...packages, search: { training: false }, auth: { login_tries: 3 } }),
  );
  const child = spawn(
    process.execPath,
    [BINARY, 'serve', '--config', config, '--port', '0', '--data', dataDir, '--json'],
    {
      env: {
        ...process.env,
        HOME: dataDir,
        XDG_CONFIG_HOME: dataDir,
        SERVICE_LOG_LEVEL: 'debug',
        SERVICE_JWT_SECRET: JWT_SECRET,
        NODE_DEBUG: '',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let [out, err] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (out.trimEnd().endsWith('}')) resolve();
    });
    child.once('exit', () => reject(new Error(`it ended before it was ready: ${err}`)));
  });
  return {
    url: (JSON.parse(out) as { url: string }).url,
    printed: out,
    async stop() {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
      return { out, err };
    },
  };
}

describe('threat: secrets in the log', () => {
  it('a login, failing ones, keys, an OAuth flow and its failures leave no secret on standard error', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-log-'));
    const service = await run(dataDir);
    const { url } = service;
    const secrets = new Map<string, string>([
      ['the password', PASSWORD],
      ['a wrong password', WRONG],
      ['the secret of JWTs', JWT_SECRET],
      ['a set-up token', SETUP],
      ['a forged JWT', FORGED],
    ]);
    const keep = <T extends Record<string, unknown>>(
      what: string,
      found: T,
      ...names: (keyof T & string)[]
    ): T => {
      for (const name of names) secrets.set(`${what}: ${name}`, String(found[name]));
      return found;
    };
    const link = /token=(svc_pw_[\w-]+)/.exec(service.printed)?.[1] ?? '';
    const [kept] = [JSON.parse(service.printed) as { credentials: string }];
    const first = /svc_live_\w+/.exec(await readFile(kept.credentials, 'utf8'))?.[0] ?? '';
    secrets.set('the link of the first run', link);
    secrets.set('the key of the first run', first);

    try {
      const email = 'ann@example.com';
      const registered = await post(url, '/v1/auth/register', { email, password: PASSWORD });
      const { data: login } = registered.json<{ data: Record<string, string> }>();
      keep('login', login, 'access_token', 'refresh_token');
      const made = await post(
        url,
        '/v1/auth/api-keys',
        { name: 'k', scopes: ['*'] },
        bearer(String(login['access_token'])),
      );
      const { data: key } = made.json<{ data: Record<string, string> }>();
      keep('key', key, 'secret_key');
      const invited = await post(
        url,
        '/v1/auth/invitations',
        { email: 'bob@example.com' },
        bearer(first), // the local owner administers the deployment
      );
      const { data: invitation } = invited.json<{ data: Record<string, string> }>();
      keep('invitation', invitation, 'token');

      // Failing requests, with the secret wherever a client may put it.
      for (let i = 0; i < 5; i++) await post(url, '/v1/auth/login', { email, password: WRONG });
      await post(url, '/v1/auth/login', `{"email":"${email}","password":"${WRONG}"`);
      await post(url, '/v1/auth/login', { email, password: WRONG, [WRONG]: WRONG });
      await post(url, '/v1/auth/refresh', { refresh_token: `${login['refresh_token']}x` });
      await ask(url, `/v1/auth/me?access_token=${login['access_token']}`);
      await ask(url, `/nowhere/${key['secret_key']}?api_key=${key['secret_key']}`);
      await ask(url, `/%zz?token=${key['secret_key']}`);
      await ask(url, '/v1/auth/me', { headers: bearer(FORGED) });
      await ask(url, '/v1/auth/me', { headers: { 'x-service-jwt': FORGED } });
      await ask(url, '/v1/auth/me', { headers: withKey(`${String(key['secret_key']).slice(0, -1)}~`) });
      await ask(url, `/oauth/register?invitation=${invitation['token']}`);
      await ask(url, `/oauth/register?setup_token=${SETUP}`);
      const late = { email: 'late@example.com', password: PASSWORD, setup_token: SETUP };
      assert.equal((await post(url, '/v1/auth/register', late)).status, 400);
      await ask(url, `/oauth/password?token=${link}`);

      const browser = new Browser(url);
      await browser.signIn(email, WRONG);
      await post(url, '/v1/auth/password', { reset_token: link, new_password: PASSWORD });
      const owner = new Browser(url);
      assert.equal((await owner.signIn('owner@localhost')).status, 303);
      secrets.set('the cookie', owner.cookie.split('=').at(-1) ?? '');
      const application = await new Application(url).register();
      const code = await application.code(owner);
      keep('code', code, 'code', 'verifier');
      const answer = await application.redeem(code);
      const granted = answer.json<Granted & Record<string, string>>();
      keep('grant', granted, 'access_token', 'refresh_token');
      await application.redeem(code);
      await application.token({ grant_type: 'refresh_token', refresh_token: granted.refresh_token });
      await application.token({ grant_type: 'refresh_token', refresh_token: `${granted.refresh_token}x` });
      await application.token({
        grant_type: 'authorization_code',
        code: `${code.code}x`,
        code_verifier: code.verifier,
      });
      await post(url, '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, bearer(granted.access_token));
      await post(url, '/api/v1/oauth/revoke', { token: granted.access_token, client_id: application.id });
      const page = next(
        await owner.get(application.authorize(pkce().challenge, { state: 'a-state-to-keep' })),
      );
      await owner.get(page.replace('/interaction/', '/authorize/'));
    } finally {
      const { err } = await service.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
      for (const [what, secret] of secrets) {
        assert.ok(secret.length > 9, `${what}: ${secret}`);
        assert.ok(!err.includes(secret), `${what} is in the log:\n${err}`);
        assert.ok(!err.includes(encodeURIComponent(secret)), `${what} is in the log, encoded`);
      }
      assert.doesNotMatch(err, /"level":"?(?:50|60|error|fatal)/, `something failed:\n${err}`);
    }
  });
});
