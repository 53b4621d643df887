import assert from 'node:assert/strict';
import { AT_REST, newSite, site, type Site } from './harness.js';

const TEXTS = {
  'ar.md': '# سياسة كلمات المرور\n\nيجب على المستخدمين تغيير كلمة المرور كل تسعين يوما.\n',
  'de.md':
    '# Rückerstattungen\n\nRückerstattungen über 500 € müssen von der Geschäftsführung genehmigt werden.\n',
  'el.md': '# Ασφάλεια\n\nΟι κωδικοί πρόσβασης αποθηκεύονται κρυπτογραφημένοι.\n',
  'en.md': '# Applications\n\nA candidate sends a résumé and gets an answer.\n',
  'es.md': '# Facturación\n\nLa autenticación falla después de tres intentos.\n',
  'hi.md': '# भुगतान\n\nग्राहक को भुगतान वापस करने में पाँच दिन लगते हैं।\n',
  'ja.md': '# 認証の設計\n\n利用者はログインし、アクセストークンを受け取ります。\n',
  'km.md': '# ការទូទាត់\n\nអតិថិជនអាចសុំប្រាក់វិញ\n',
  'ko.md': '# 배포 절차\n\n배포 전에 데이터베이스 마이그레이션을 실행합니다.\n',
  'ru.md': '# Резервное копирование\n\nКаждую ночь создаётся резервная копия базы данных. Самолёт летит.\n',
  'th.md': '# การชำระเงิน\n\nลูกค้าสามารถขอคืนเงินได้ภายในเจ็ดวัน\n',
  'vi.md': '# Thanh toán\n\nKhách hàng có thể yêu cầu hoàn tiền.\n',
  'zh.md': '# 数据库连接池\n\n连接泄漏会导致请求超时。\n',
};

describe('texts in many languages are found by', () => {
  let it_: Site;
  let decomposed: Site;
  before(async () => {
    it_ = await site({ config: AT_REST });
    await it_.ingest(TEXTS);
    await it_.settled();
    decomposed = await newSite(it_.host); // as macOS writes texts
    const taken = Object.entries(TEXTS).map(([path, text]) => [path, text.normalize('NFD')] as const);
    await decomposed.ingest(Object.fromEntries(taken));
    await decomposed.settled();
  });
  after(() => it_.stop());

  for (const [query, path] of [
    ['المستخدم', 'ar.md'],
    ['geschaftsfuhrung', 'de.md'],
    ['Rückerstattung', 'de.md'],
    ['ΚΩΔΙΚΌΣ', 'el.md'],
    ['resume', 'en.md'],
    ['autenticacion', 'es.md'],
    ['ग्राहकों', 'hi.md'],
    ['アクセストークン', 'ja.md'],
    ['グ', 'ja.md'],
    ['ប្រាក់', 'km.md'],
    ['마이그레이션', 'ko.md'],
    ['резервные копии', 'ru.md'],
    ['самолет', 'ru.md'],
    ['คืนเงิน', 'th.md'],
    ['hoan tien', 'vi.md'],
    ['连接泄漏', 'zh.md'],
    ['者', 'ja.md'],
    ['터', 'ko.md'],
    ['泄', 'zh.md'],
  ] as const)
    it(`"${query}": ${path}`, async () => {
      for (const mode of ['keyword', 'hybrid']) {
        const { results } = await it_.search(mode, { query });
        assert.equal(results[0]?.path, path, mode);
        assert.ok(results[0].highlights.length > 0, mode);
      }
      const [apart] = (await decomposed.search('keyword', { query })).results;
      assert.deepEqual([apart?.path, (apart?.highlights.length ?? 0) > 0], [path, true], 'NFC in NFD');
      const [whole] = (await it_.search('keyword', { query: query.normalize('NFD') })).results;
      assert.deepEqual([whole?.path, (whole?.highlights.length ?? 0) > 0], [path, true], 'NFD in NFC');
    });

  it('a character beside words, whose absence alone is told', async () => {
    const ask = (query: string) => it_.search('keyword', { query });
    const { results, warnings } = await ask('泄 请求');
    assert.deepEqual([results[0]?.path, warnings], ['zh.md', []]);
    assert.match((await ask('猫 请求')).warnings.join(), /Nothing holds "猫"/u);
  });
});
