import { createHash } from 'node:crypto';
import { newApiKey, newSecret } from '@service-mcp/plugin-auth/internals';

const HEX = '0123456789abcdef';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const BASE62 = `${UPPER}abcdefghijklmnopqrstuvwxyz`;
const BASE64URL = `${BASE62}-_`;

let samples = 0;
/** Random-looking characters, the same in each run: nothing in this repository has the form of a secret. */
function fill(length: number, alphabet = BASE62): string {
  samples++;
  let text = '';
  for (let block = 0; text.length < length; block++)
    for (const byte of createHash('sha256').update(`${samples} ${block}`).digest())
      text += alphabet.charAt(byte % alphabet.length);
  return text.slice(0, length);
}
const hex = (length: number) => fill(length, HEX);
const url64 = (length: number) => fill(length, BASE64URL);
const join = (...parts: string[]) => parts.join('');
const json64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function pem(kind: string, lines: readonly string[] = [], end = true): string {
  const body = [fill(64), fill(64), fill(40)].join('\n');
  const head = `-----BEGIN ${kind}-----`;
  return [head, ...lines, body, ...(end ? [`-----END ${kind}-----`] : [])].join('\n');
}

/** A text with a secret, given with the rule that finds it and the secret itself. */
export interface Sample {
  readonly rule: string;
  readonly text: string;
  readonly secret: string;
}
const sample = (
  rule: string,
  secret: string,
  around: (secret: string) => string = (s) => `Use ${s} there.`,
) => ({
  rule,
  secret,
  text: around(secret),
});
const assigned = (secret: string, around: (secret: string) => string) =>
  sample('assigned-secret', secret, around);
const inUrl = (secret: string, around: (secret: string) => string) => sample('url-password', secret, around);

/** Texts with one secret each. */
export const POSITIVES: readonly Sample[] = [
  sample('service-credential', newApiKey().key),
  ...['at', 'rt', 'bs', 'pw', 'in'].map((kind) => sample('service-credential', newSecret(`svc_${kind}_`))),
  sample('private-key', pem('RSA PRIVATE KEY')),
  sample('private-key', pem('PRIVATE KEY')),
  sample('private-key', pem('ENCRYPTED PRIVATE KEY')),
  sample('private-key', pem('OPENSSH PRIVATE KEY')),
  sample('private-key', pem('EC PRIVATE KEY', ['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,00', ''])),
  sample('private-key', pem('PGP PRIVATE KEY BLOCK', ['Version: GnuPG v2', ''])),
  sample('private-key', pem('PRIVATE KEY').replaceAll('\n', '\\n'), (s) => `{"key": "${s}\\n"}`),
  sample('private-key', pem('RSA PRIVATE KEY', [], false), (s) => s),
  sample('aws', join('AKI', 'A', fill(16, UPPER))),
  sample('aws', join('ASI', 'A', fill(16, UPPER)), (s) => `aws_access_key_id=${s}`),
  sample('aws', fill(40), (s) => `AWS_SECRET_ACCESS_KEY=${s}`),
  sample('github', join('gh', 'p_', fill(36))),
  sample('github', join('gh', 's_', fill(36)), (s) => `git clone https://x-access-token:${s}@github.com/a/b`),
  sample('github', join('github', '_pat_', fill(22), '_', fill(59))),
  sample('gitlab', join('glp', 'at-', url64(20))),
  sample('gitlab', join('gld', 't-', url64(20))),
  sample('slack', join('xo', 'xb-', fill(12, '0123456789'), '-', fill(12, '0123456789'), '-', fill(24))),
  sample(
    'slack',
    join('T', fill(8, UPPER), '/B', fill(8, UPPER), '/', fill(24)),
    (s) => `https://hooks.slack.com/services/${s}`,
  ),
  sample('openai', join('sk', '-proj-', url64(74), 'T3Blbk', 'FJ', url64(74))),
  sample('openai', join('sk', '-', fill(20), 'T3Blbk', 'FJ', fill(20))),
  sample('anthropic', join('sk', '-ant-api03-', url64(93), 'AA')),
  sample('deepseek', join('sk', '-', hex(32))),
  sample('stripe', join('sk', '_live_', fill(24))),
  sample('stripe', join('rk', '_test_', fill(24))),
  sample('stripe', join('whs', 'ec_', fill(32))),
  sample('gcp', join('AIz', 'a', url64(35)), (s) => `maps?key=${s}`),
  sample('gcp', join('GOC', 'SPX-', url64(28))),
  sample('gcp', join('ya', '29.', url64(60))),
  sample('azure', join(fill(86), '=='), (s) => `DefaultEndpointsProtocol=https;AccountKey=${s};`),
  sample('azure', join(fill(3), '8', 'Q~', fill(34))),
  sample('npm', join('np', 'm_', fill(36))),
  sample('pypi', join('py', 'pi-', 'AgE', 'IcHlwaS5vcmc', url64(70))),
  sample('huggingface', join('h', 'f_', fill(34))),
  sample('sendgrid', join('S', 'G.', url64(22), '.', url64(43))),
  sample('twilio', join('S', 'K', hex(32))),
  sample('mailgun', join('ke', 'y-', hex(32))),
  sample('mailchimp', join(hex(32), '-us', '12')),
  sample('telegram', join('123456789', ':A', 'A', url64(33))),
  sample('discord', join('M', url64(23), '.', fill(6), '.', url64(27))),
  sample('digitalocean', join('do', 'p_v1_', hex(64))),
  sample('docker', join('dc', 'kr_pat_', url64(27))),
  sample('databricks', join('da', 'pi', hex(32))),
  sample('grafana', join('gl', 'sa_', fill(32), '_', hex(8))),
  sample('hashicorp-vault', join('hv', 's.', url64(24))),
  sample('terraform', join(fill(14), '.atlas', 'v1.', url64(64))),
  sample('shopify', join('shp', 'at_', hex(32))),
  sample('linear', join('lin', '_api_', fill(40))),
  sample('notion', join('nt', 'n_', fill(46))),
  sample('groq', join('gs', 'k_', fill(52))),
  sample('replicate', join('r', '8_', fill(37))),
  sample('postman', join('PM', 'AK-', hex(24), '-', hex(34))),
  sample('age', join('AGE-SECRET', '-KEY-1', fill(58, UPPER))),
  sample('tailscale', join('tsk', 'ey-auth-', fill(12), '-', fill(32))),
  sample('1password', join('op', 's_ey', fill(300))),
  sample('airtable', join('pa', 't', fill(14), '.', hex(64))),
  sample('artifactory', join('AK', 'Cp', fill(69))),
  sample('atlassian', join('ATA', 'TT3', url64(180))),
  sample('azure', join(fill(43), '='), (s) => `https://x.blob.core.windows.net/a?sp=r&sig=${s}`),
  sample('cloudflare', join('v1', '.0-', hex(24), '-', hex(146))),
  sample('discord', url64(68), (s) => `https://discord.com/api/webhooks/1234567890123456789/${s}`),
  sample('doppler', join('dp', '.pt.', fill(43))),
  sample('facebook', join('EA', 'A', fill(120))),
  sample('figma', join('fi', 'gd_', url64(40))),
  sample('fly', join('fm', '2_', fill(80))),
  sample('gcp', join('1/', '/0', url64(60))),
  sample('heroku', join('HR', 'KU-', url64(60))),
  sample('new-relic', join('NR', 'AK-', fill(27, UPPER))),
  sample('notion', join('sec', 'ret_', fill(43))),
  sample('perplexity', join('pp', 'lx-', fill(48))),
  sample('planetscale', join('psc', 'ale_tkn_', url64(43))),
  sample('pulumi', join('pu', 'l-', hex(40))),
  sample('rubygems', join('ruby', 'gems_', hex(48))),
  sample('sentry', join('snt', 'rys_', fill(120))),
  sample('slack', join('xa', 'pp-1-', fill(11, UPPER), '-', fill(13, '0123456789'), '-', hex(64))),
  sample('square', join('sq', '0atp-', url64(22))),
  sample('supabase', join('sb', 'p_', hex(40))),
  sample('vercel', join('vc', 'p_', fill(60))),
  sample('xai', join('xa', 'i-', fill(80))),
  sample('jwt', [json64({ alg: 'HS256' }), json64({ sub: 'keeper', n: 1 }), url64(43)].join('.')),
  inUrl('Tr0ub4dor', (s) => `postgres://app:${s}@db.internal:5432/lamps`),
  inUrl('open sesame'.replace(' ', ''), (s) => `https://keeper:${s}@harbour.test/lamps?on=1`),
  inUrl('p@ss:word!', (s) => `mongodb+srv://root:${s}@cluster0.mongodb.net`),
  inUrl('hunter2', (s) => `redis://:${s}@localhost:6379/0`),
  inUrl('größe42', (s) => `Der Server ist ftp://gast:${s}@[::1]/x.`),
  assigned('hunter2', (s) => `password=${s}`),
  assigned('Tr0ub4dor&3', (s) => `DB_PASSWORD: "${s}"`),
  assigned(fill(24), (s) => `{"client_secret": "${s}"}`),
  assigned(hex(40), (s) => `export API_KEY='${s}'`),
  assigned('hunter2', (s) => `{"name":"DB_PASSWORD","value":"${s}"}`),
  assigned(fill(24), (s) => `env:\n  - name: SESSION_SECRET\n    value: ${s}\n`),
  assigned(hex(32), (s) => `<add key="Harbour:ApiKey" value="${s}" />`),
  assigned(fill(24), (s) => `{ "value": "${s}", "name": "HARBOUR_TOKEN" }`),
  assigned(hex(32), (s) => `apiKey: \`${s}\`,`),
  assigned(fill(20), (s) => `service-cli --token ${s} --verbose`),
  assigned(fill(24), (s) => `https://harbour.test/lamps?access_token=${s}&on=1`),
  assigned(fill(32), (s) => `curl -H "Authorization: Bearer ${s}" https://harbour.test`),
  assigned(Buffer.from('keeper:hunter2').toString('base64'), (s) => `authorization: Basic ${s}`),
  assigned(fill(36), (s) => `//registry.test/:_authToken=${s}`),
];

const KEYS = 'of lamps, of doors and of bells';
/** Texts without a secret. */
export const NEGATIVES: readonly string[] = [
  // Ids, hashes and encodings.
  '0190b1c2-7d3e-7f4a-9b5c-6d7e8f901234',
  `session_token: 550e8400-e29b-41d4-a716-446655440000`,
  `commit ${hex(40)} merged`,
  `f337625 refactor(core): give the page shape one maker`,
  `sha256:${hex(64)}`,
  `md5 ${hex(32)} lamp.iso`,
  `etag: W/"${hex(16)}"`,
  `"integrity": "sha512-${fill(86)}=="`,
  `yarn checksum: 10/${hex(128)}`,
  `github.com/a/b v1.2.3 h1:${fill(43)}=`,
  `data:image/png;base64,iVBORw0KGgo${fill(400)}=`,
  `<img src="data:image/svg+xml;base64,PHN2Zy${fill(200)}">`,
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${fill(43)} keeper@harbour`,
  pem('PUBLIC KEY'),
  pem('CERTIFICATE'),
  `password_hash: $2b$12$${fill(53)}`,
  `ECDSA key fingerprint is SHA256:${fill(43)}.`,
  `${fill(30)} is what the printer says.`,
  `01ARZ3NDEKTSV4RRFFQ69G5FAV`,
  `trace_id=${hex(32)} span_id=${hex(16)}`,
  `docker pull lamps@sha256:${hex(64)}`,
  // Keys of documentation.
  `aws_access_key_id = ${join('AKI', 'AIOSFODNN7', 'EXAMPLE')}`,
  `aws_secret_access_key = ${join('wJalrXUtnFEMI', '/K7MDENG/', 'bPxRfiCYEXAMPLEKEY')}`,
  join('AKI', 'AI44QH8DHB', 'EXAMPLE'),
  join('gh', 'p_', 'x'.repeat(36)),
  join('sk', '_live_', 'X'.repeat(24)),
  join('xo', 'xb-', 'your-token-of-the-app-here'),
  join('sk', '-ant-api03-', '.'.repeat(20)),
  join('glp', 'at-', '********************'),
  join('svc_live', '_', fill(48)),
  join('svc_at', '_…'),
  // Placeholders and code that reads a secret from elsewhere.
  'api_key: <YOUR_KEY>',
  'API_KEY="<your-api-key-2024>"',
  'token=${TOKEN}',
  'password: ${{ secrets.DB_PASSWORD_1 }}',
  'password: "{{ vault_db_password_2 }}"',
  'PASSWORD=$DB_PASSWORD1',
  'set PASSWORD=%DB_PASSWORD%',
  'secret = os.environ["APP_SECRET_2"]',
  'const token = process.env.API_TOKEN_2',
  'apiKey: config.services.maps2.apiKey',
  'const progressToken = request._meta?.progressToken2;',
  'password = getPassword("db1")',
  'token := r.Header.Get("X-Token-2")',
  'client_secret: vault:secret/data/app1#client',
  'password: ********',
  'password = "your-password-123"',
  'password: changeme', // a word
  'secret: replace-me-1234',
  'Authorization: Bearer <token>',
  'Authorization: Bearer $TOKEN',
  'authorization: Basic …',
  'postgres://app:${DB_PASSWORD}@db/lamps',
  'postgres://app:<password>@db/lamps',
  'mysql://USER:PASSWORD@HOST/lamps',
  'https://keeper:***@harbour.test/',
  'redis://localhost:6379/0',
  'https://harbour.test:8443/@keeper/lamps',
  'ssh://git@harbour.test:2222/lamps.git',
  'see http://[::1]:8080/a@b and mailto:keeper@harbour.test',
  // Words.
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.',
  `The password policy: at least 12 characters; the token is refreshed every hour.`,
  `Tokens: 4096, tokens=12000, max_tokens: 128000, token_count: 12k`,
  `API keys ${KEYS}, a secret: nobody knows it.`,
  'The secret of the lamp: oil, wick and patience.',
  'The header is Authorization: Bearer followed by the token.',
  'Basic authentication is off. Bearer tokens expire after 3600 seconds.',
  'token: base64-encoded, secret: sha256-hashed, password: required',
  '-----BEGIN RSA PRIVATE KEY----- is how such a file begins.',
  '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
  '{"name": "DB_PASSWORD", "value": "changeme"}, {"name": "PORT", "value": "a1b2c3d4e5"}',
  '{"name": "LAMP", "value": "a1b2c3d4e5"}, {"name": "DB_PASSWORD", "value": "changeme"}',
  'env:\n  - name: LAMP\n    value: a1b2c3d4e5\n  - name: DB_PASSWORD\n    value: changeme\n',
  'env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef: { name: lamps1, key: password2 }',
  'credentials: https://vault.test/lamps/1, key: /run/secrets/db1',
  'password reset at 2026-01-02T03:04:05Z; token: 2026-01-02',
  'The bucket is s3://lamps-2024/keys, the ARN arn:aws:iam::123456789012:role/lamps.',
  'Version: v1.0-beta, SG.utils.format, hf_hub_download, gl.createShader, pat.test',
  'sk-learn, sk_live in the docs, key-value, npm_config_cache, AKIA is the prefix of AWS keys.',
  '日本語のテキスト、パスワード：なし。 Ключ от маяка у смотрителя.',
];
