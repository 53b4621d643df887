import assert from 'node:assert/strict';
import { exportRecords } from '#cli/import/export-records.js';
import { countOfEnd, isExported, withoutOthers } from '#cli/import/without-others.js';
import { folderWith } from './support/folder.js';

/** An export, and the same as other programs write JSON. */
const COMPACT = [
  '{"record":"project","id":"p","name":"n"}',
  '{"record":"file","project_id":"p","path":"a","content":"x"}',
  '{"record":"event","id":"e","created_at":"t","updated_at":"t","title":"t"}',
  '{"record":"end","projects":1,"files":1,"events":1}',
];
const SPACED = COMPACT.map((line) => line.replace('{', ' { ').replaceAll(':', ' : ').replaceAll(',', ' , '));

for (const [name, lines] of Object.entries({ 'as it is written': COMPACT, 'with spaces': SPACED })) {
  describe(`an export ${name}`, () => {
    const text = lines.map((line) => `${line}\n`).join('');

    it('gives memory alone, and tells what else it has', async () => {
      const others: string[] = [];
      const kept: Uint8Array[] = [];
      async function* bytes() {
        for (const byte of Buffer.from(text)) yield Buffer.of(byte);
      }
      for await (const part of withoutOthers(bytes(), (kind) => others.push(kind))) kept.push(part);
      assert.equal(Buffer.concat(kept).toString(), `\n\n${lines[2]}\n${lines[3]}\n`);
      assert.deepEqual(others, ['project', 'file']);
      assert.deepEqual(lines.map(isExported), [false, false, true, false]);
      assert.deepEqual(lines.map(countOfEnd), [undefined, undefined, undefined, 3]);
    });

    it('gives projects and files with their lines', async () => {
      const folder = await folderWith({ 'export.ndjson': text });
      const found: Array<readonly [string, unknown, number]> = [];
      const records = exportRecords(`${folder.path}/export.ndjson`, new AbortController().signal);
      for await (const { kind, record, line } of records)
        found.push([kind, record['path'] ?? record['id'], line]);
      assert.deepEqual(found, [
        ['project', 'p', 1],
        ['file', 'a', 2],
      ]);
      await folder.remove();
    });
  });
}
