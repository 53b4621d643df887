import assert from 'node:assert/strict';
import { openSecrets } from './open.js';
import { POSITIVES } from './samples.js';

const MIB = 1024 * 1024;
/** Beginnings of every format, repeated: what a pattern that backtracks takes minutes or days for. */
const UNITS = `
a A 0 _ - . / = : @ " \\ < {{ é 😀 sk- sk-a sk-proj- SG. SG.a SG.aaaaaaaaaaaaaaaaaaaaaa. xoxb- xoxb-a- xapp-1- ghp_
gho_a ops_ey eyJ eyJa. eyJaaaaaaaaaa. eyJaaaaaaaaaa.eyJaaaaaaaaaa. svc_ svc_live_ svc_at_ AKIA SK AccountKey= http://
http://a: a://b:c a://b:c@ mysql://a: a+ a:// :// ://a: ?sig= /webhooks/1 -us 0-us1 M MAAAAAAAAAAAAAAAAAAAAAAAA.
aaaaaaaaaaaaaa.atlasv1. 1:AA password password= secret_ api_key:= --token`
  .trim()
  .split(/\s/)
  .concat(['-----BEGIN PRIVATE KEY-----', `-----BEGIN PRIVATE KEY-----${'A'.repeat(5000)}`, '-----BEGIN '])
  .concat(['password: "', 'token token:', '--token-token ', 'authorization: bearer ', ' ', '\n', '\ud800']);

describe('a hostile text of 1 MiB', () => {
  const secrets = openSecrets();

  // Each takes less than a second; what is quadratic or worse takes longer than the time limit of a test.
  for (const unit of UNITS)
    it(`of ${JSON.stringify(unit.slice(0, 30))} takes as long as another`, () => {
      secrets.redact(unit.repeat(Math.ceil(MIB / unit.length)));
    });

  it('with a secret in every line is redacted whole', () => {
    for (const { text, secret } of POSITIVES) {
      const { text: redacted, found } = secrets.redact(`${text}\n`.repeat(200));
      assert.ok(found.length >= 200 && !redacted.includes(secret), text);
    }
  });
});
