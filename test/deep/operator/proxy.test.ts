import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { freePort } from '../../free-port.js';
import { ROOT } from '../../e2e/support/run.js';
import { PASSWORD, SETUP_TOKEN } from '../../security/start-team.js';
import { startHosted, type Hosted } from '../../security/start-hosted.js';

const NAME = 'memory.example.org';
const MAX_TRIES = 5;
const ORIGIN = `https://${NAME}`;

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sends no key. */
  readonly anonymous?: boolean;
}

/** deploy/nginx.conf, run by nginx before the hosted deployment; only ports and paths of certificates differ. */
describe('the sample of a proxy: nginx', () => {
  let folder: string;
  let certificate: string;
  let hosted: Hosted;
  let proxy: ChildProcess;
  let port: number;
  let key: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-proxy-'));
    hosted = await startHosted({
      server: { base_url: ORIGIN, trusted_proxies: ['loopback'] },
      auth: { login_tries_per_peer: MAX_TRIES },
    });
    port = await freePort();
    const files = { key: join(folder, 'key.pem'), certificate: join(folder, 'certificate.pem') };
    const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`];
    const keys = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', files.key];
    await promisify(execFile)('openssl', ['req', '-x509', ...keys, '-out', files.certificate, ...subject]);
    certificate = await readFile(files.certificate, 'utf8');
    await writeFile(join(folder, 'site.conf'), await site(files));
    await writeFile(join(folder, 'nginx.conf'), MAIN);
    const main = join(folder, 'nginx.conf');
    proxy = spawn('nginx', ['-p', folder, '-e', 'error.log', '-c', main], { stdio: 'inherit' });
    while (!(await send('/health').catch(() => undefined))) {
      assert.equal(proxy.exitCode, null, 'nginx ended');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  after(async () => {
    if (proxy?.exitCode === null) {
      proxy.kill('SIGTERM');
      await once(proxy, 'exit');
    }
    await hosted?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function site({ certificate: path, key: keyPath }: { certificate: string; key: string }) {
    const sample = await readFile(join(ROOT, 'deploy', 'nginx.conf'), 'utf8');
    const changed = sample
      .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('http://127.0.0.1:8080', hosted.local)
      .replace(/\/etc\S+fullchain\.pem/, path)
      .replace(/\/etc\S+privkey\.pem/, keyPath);
    assert.doesNotMatch(changed, /listen (?:80|443)|:8080|\/etc\/letsencrypt/);
    return changed;
  }

  function request(path: string, { method = 'GET', headers, anonymous }: Sent): ClientRequest {
    const credential = key === undefined || anonymous ? undefined : { 'x-service-api-key': key };
    const own = { host: NAME, ...credential, ...headers };
    return httpsRequest({
      host: '127.0.0.1',
      port,
      servername: NAME,
      ca: certificate,
      path,
      method,
      headers: own,
    });
  }

  async function open(path: string, { body, headers, ...sent }: Sent = {}): Promise<IncomingMessage> {
    const type = body === undefined ? undefined : { 'content-type': 'application/json' };
    const opened = request(path, { ...sent, headers: { ...type, ...headers } });
    opened.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(opened, 'response')) as [IncomingMessage];
    return response;
  }

  async function send(path: string, sent?: Sent): Promise<Answer> {
    const response = await open(path, sent);
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
  }
  const post = async (path: string, body: unknown) => {
    const { status, body: answer } = await send(path, { method: 'POST', body });
    assert.ok(status < 300, answer);
    return (JSON.parse(answer) as { data: { id: string } & Record<string, string> }).data;
  };

  it('serves the name of the certificate, and accounts and keys through it', async () => {
    const person = { email: 'ann@example.com', password: PASSWORD, name: 'Ann', setup_token: SETUP_TOKEN };
    const made = await send('/v1/auth/register', { method: 'POST', body: person });
    assert.equal(made.status, 201, made.body);
    const { data } = JSON.parse(made.body) as { data: { access_token: string } };
    const wanted = { name: 'proxy', scopes: ['*'] };
    const authorization = `Bearer ${data.access_token}`;
    const keyed = await send('/v1/auth/api-keys', {
      method: 'POST',
      body: wanted,
      headers: { authorization },
    });
    key = (JSON.parse(keyed.body) as { data: { secret_key: string } }).data.secret_key;
    const { status, body } = await send('/.well-known/oauth-protected-resource/mcp', {});
    assert.equal(status, 200);
    assert.match(body, new RegExp(`"resource":"${ORIGIN}/mcp"`));
  });

  it('refuses other names', async () => {
    assert.equal((await send('/v1/workspaces', { headers: { host: 'evil.example' } })).status, 421);
  });

  it('takes nobody for the address that they claim', async () => {
    const statuses: number[] = [];
    for (let count = 0; count <= MAX_TRIES; count += 1) {
      const headers = { 'x-forwarded-for': `192.0.2.${count}`, forwarded: `for=192.0.2.${count}` };
      const body = { email: `guess-${count}@example.com`, password: PASSWORD };
      const answer = await send('/v1/auth/login', { method: 'POST', body, headers, anonymous: true });
      statuses.push(answer.status);
    }
    assert.deepEqual(statuses, [...Array<number>(MAX_TRIES).fill(401), 429]);
  });

  it('passes each event on at once', async () => {
    const stream = await open('/api/v1/stream', { headers: { accept: 'text/event-stream' } });
    assert.equal(stream.statusCode, 200);
    stream.setEncoding('utf8');
    const { id } = await post('/v1/workspaces', { name: 'Lighthouse' });
    let arrived = '';
    for await (const part of stream) {
      arrived += String(part);
      if (arrived.includes(id)) break; // the response is still open
    }
    assert.match(arrived, /event: workspace\.created/);
  });

  it('lets a batch of 14 MiB and a stream of 40 MiB through', async () => {
    const { id: workspaceId } = await post('/v1/workspaces', { name: 'Uploads' });
    const { id } = await post('/v1/projects', { workspace_id: workspaceId, name: 'Large' });
    const line = 'a line of a long file that is uploaded through a proxy\n';
    const content = line.repeat(Math.ceil(1024 ** 2 / line.length) - 1);
    const files = Array.from({ length: 14 }, (_none, index) => ({ path: `part-${index}.txt`, content }));
    const sent = await send(`/v1/projects/${id}/files/ingest`, { method: 'POST', body: { files } });
    assert.ok(sent.status < 300, sent.body.slice(0, 500));

    const path = `/v1/memory/import?workspace_id=${workspaceId}&format=mcp-memory`;
    const headers = { 'content-type': 'application/x-ndjson' };
    const upload = request(path, { method: 'POST', headers });
    const response = once(upload, 'response') as Promise<[IncomingMessage]>;
    const blank = `${' '.repeat(1023)}\n`.repeat(1024);
    for (let written = 0; written < 40; written += 1) if (!upload.write(blank)) await once(upload, 'drain');
    const entity = { type: 'entity', name: 'Proxy', entityType: 'part', observations: ['passes streams on'] };
    upload.end(`${JSON.stringify(entity)}\n`);
    const [answer] = await response;
    const body = await text(answer);
    assert.equal(answer.statusCode, 200, body);
    assert.match(body, /"imported":1/);
  });
});

/** Everything that the configuration of the system would hold around the site. */
const MAIN = `daemon off;
pid nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include site.conf;
}
`;
