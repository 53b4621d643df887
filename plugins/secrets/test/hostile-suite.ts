import { openSecrets } from './open.js';

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

/** Texts of so many characters. Each takes less than a second; what backtracks takes longer than the time limit of a test. */
export function hostileSuite(length: number): void {
  describe(`a hostile text of ${length} characters`, () => {
    const secrets = openSecrets();

    for (const unit of UNITS)
      it(`of ${JSON.stringify(unit.slice(0, 30))} takes as long as another`, () => {
        secrets.redact(unit.repeat(Math.ceil(length / unit.length)));
      });
  });
}
