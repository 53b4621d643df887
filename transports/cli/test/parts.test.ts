import assert from 'node:assert/strict';
import { once } from 'node:events';
import fc from 'fast-check';
import { checkedUrl } from '#cli/connection/address.js';
import { retryAfter } from '#cli/codegen/client/wire.js';
import { answerLimit, repeated, withRetries } from '#cli/connection/retry.js';
import { Failure } from '#cli/failure.js';
import { wholeLines } from '#cli/import/whole-lines.js';
import { Batcher, jsonBytes } from '#cli/ingest/upload-files.js';
import { progress } from '#cli/ingest/index-status.js';
import { findLink, linkFor, writeLink } from '#cli/ingest/project-link.js';
import { decodeText } from '#cli/ingest/decode-text.js';
import { readFound } from '#cli/ingest/read-files.js';
import { Tally } from '#cli/ingest/tally.js';
import { barLine } from '#cli/terminal/meter.js';
import { bytes, clip, duration, fold, printable, tableLines, wrap } from '#cli/terminal/format.js';
import { openTerminal } from '#cli/terminal/terminal.js';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { folderWith } from './support/folder.js';

describe('the link file of a stranger', () => {
  it('does not control the terminal', () => {
    const said: string[] = [];
    const url = 'https://other.example/\u001b]0;title\u0007';
    linkFor({ url, workspace_id: 'w', project_id: 'p' }, 'http://127.0.0.1:1', (line) => said.push(line));
    assert.match(said.join(), /names a project at https:\/\/other\.example\/�\]0;title�; it is not used/);
  });
});

describe('batches', () => {
  it('keep the order, hold every file once and stay within both limits', () => {
    const file = fc.record({ path: fc.string(), content: fc.string({ maxLength: 60 }) });
    fc.assert(
      fc.property(fc.array(file), (files) => {
        const most = { files: 4, bytes: 200 };
        const batcher = new Batcher(most);
        const batches = [...files.flatMap((each) => [batcher.add(each)]), batcher.flush()].filter(
          (batch) => !!batch,
        );
        assert.deepEqual(batches.flat(), files);
        for (const batch of batches) {
          const size = batch.reduce((sum, each) => sum + jsonBytes(each), 0);
          assert.ok(batch.length <= most.files && (size <= most.bytes || batch.length === 1));
        }
      }),
    );
  });
});

describe('reading a file', () => {
  const modifiedAt = new Date('2026-01-02T03:04:05.678Z');

  it('distinguishes text from binary, and hashes the sent bytes', async () => {
    const folder = await folderWith({
      'a.txt': 'é\r\n',
      'n.bin': 'a\0b',
      'l.txt': Uint8Array.of(0xff, 0x01),
      'big.txt': 'xxxxx',
    });
    try {
      const read = (path: string, size = 3) => readFound(folder.path, { path, bytes: size, modifiedAt }, 4);
      assert.deepEqual(await read('a.txt'), {
        kind: 'text',
        path: 'a.txt',
        bytes: 3,
        sha256: await sha('é\r\n'),
        encoding: 'utf-8',
        file: { path: 'a.txt', content: 'é\r\n', modified_at: '2026-01-02T03:04:05.678Z' },
      });
      const reasons = await Promise.all(['n.bin', 'l.txt', 'big.txt', 'gone.txt'].map((path) => read(path)));
      assert.deepEqual(
        reasons.map((result) => result.kind === 'skipped' && result.reason),
        ['binary', 'binary', 'too_large', 'unreadable'],
      );
    } finally {
      await folder.remove();
    }
  });

  it('converts windows-1252 and UTF-16 to UTF-8, and nothing that is not text', async () => {
    const text = 'größer\t“œuvre” 5 €\r\n';
    const western = Buffer.from('größer\t\x93\x9cuvre\x94 5 \x80\r\n', 'latin1');
    const utf16 = Buffer.from(`\uFEFF${text}𝄞`, 'utf16le');
    const files: Record<string, Uint8Array> = {
      'western.c': western,
      'dos.c': Buffer.concat([western, Buffer.of(0x1a)]),
      'le.cs': utf16,
      'be.cs': Buffer.from(utf16).swap16(),
      'marked.md': Buffer.from(`\uFEFF${text}`),
      'half.cs': utf16.subarray(0, -1),
      'lone.cs': Buffer.from('\uFEFFa\uD800', 'utf16le'),
      'nul.cs': Buffer.from('\uFEFFa\0b', 'utf16le'),
      'utf32.txt': Buffer.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0),
      'control.bin': Buffer.concat([western, Buffer.of(0x1a, 0x61)]),
      'undefined.bin': Buffer.concat([western, Buffer.of(0x81)]),
    };
    const folder = await folderWith(files);
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte).filter(
      (byte) =>
        !(byte < 9 || (byte > 13 && byte < 32) || [0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte)),
    );
    try {
      const read = async (path: string, maxBytes = 100) => {
        const result = await readFound(folder.path, { path, bytes: 3, modifiedAt }, maxBytes);
        return result.kind === 'skipped'
          ? result.reason
          : [result.encoding, result.file.content, result.sha256 === (await sha(result.file.content))];
      };
      assert.deepEqual(await read('western.c'), ['windows-1252', text, true]);
      assert.deepEqual(await read('dos.c'), ['windows-1252', `${text}\x1a`, true]);
      assert.deepEqual(await read('le.cs'), ['utf-16le', `${text}𝄞`, true]);
      assert.deepEqual(await read('be.cs'), ['utf-16be', `${text}𝄞`, true]);
      assert.deepEqual(await read('marked.md'), ['utf-8', `\uFEFF${text}`, true]);
      assert.equal(await read('western.c', western.length), 'too_large', 'as UTF-8');
      for (const path of Object.keys(files).filter((name) => /bin$|half|lone|nul|32/u.test(name)))
        assert.equal(await read(path), 'binary', path);
      const whole = decodeText(Buffer.from(all))?.content ?? '';
      const upper = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
      const others = Buffer.from(all.filter((byte) => byte < 0x80 || byte > 0x9f)).toString('latin1');
      assert.equal(whole, others.replace('\u00A0', `${upper}\u00A0`));
    } finally {
      await folder.remove();
    }
  });
});

async function sha(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Buffer.from(digest).toString('hex');
}

describe('lines of an export', () => {
  it('may hold the largest file that an ingest takes, and not more than a service keeps', async () => {
    const part = Buffer.alloc(1024 * 1024, '"');
    async function* parts(count: number) {
      for (let at = 0; at < count; at += 1) yield Promise.resolve(part);
    }
    const lengths: number[] = [];
    for await (const { length } of wholeLines(parts(24))) lengths.push(length);
    assert.deepEqual(lengths, [24 * part.length]);
    await assert.rejects(
      wholeLines(parts(100)).next(),
      /Line 1 is longer than \d+ bytes: no export writes that/,
    );
  });
});

describe('accounting', () => {
  it('refuses a sum that loses a file', () => {
    const tally = new Tally();
    tally.scanned = 3;
    tally.sent = 1;
    tally.skip({ path: 'x.bin', reason: 'binary' });
    assert.throws(() => tally.verify(), /3 files scanned, but 2 accounted for/);
    tally.rejections.add({ path: 'x', reason: 'y' });
    tally.verify();
  });
});

describe('identity', () => {
  it('is found in the folder and above it', async () => {
    const folder = await folderWith();
    try {
      const identity = { workspace_id: 'w', project_id: 'p' };
      await writeLink(folder.path, identity);
      await mkdir(join(folder.path, 'a', 'b'), { recursive: true });
      const [warnings, below] = [[] as string[], join(folder.path, 'a', 'b')];
      const find = () => findLink(below, (line) => warnings.push(line));
      assert.deepEqual(await find(), identity);
      await folder.write('a/.service-mcp.json', '{}');
      assert.deepEqual(await find(), identity, 'that of somebody else between them is damaged');
      assert.match(warnings.join(), /a\/\.service-mcp\.json is damaged/);
      await folder.write('a/b/.service-mcp.json', '{}');
      await assert.rejects(find(), /b\/\.service-mcp\.json is damaged/);
    } finally {
      await folder.remove();
    }
  });
});

describe('retries', () => {
  const { signal } = new AbortController();
  const transient = new Failure('busy', { transient: true, retryAfterMs: 1 });

  it('end with the first success, at a lasting failure, or when stopped', async () => {
    let tries = 0;
    const busyTwice = async () => {
      tries += 1;
      if (tries < 3) throw transient;
      return tries;
    };
    assert.equal(await withRetries(busyTwice, { signal, random: () => 0 }), 3);
    const lasting = new Failure('no');
    await assert.rejects(
      withRetries(() => Promise.reject(lasting), { signal }),
      lasting,
    );
    const stop = new AbortController();
    const waits = withRetries(() => Promise.reject(transient), {
      signal: stop.signal,
      onRetry: () => stop.abort(),
    });
    await assert.rejects(waits, { name: 'AbortError' });
  });

  it('repeat what is not answered, and wait longer for it', async () => {
    const heard: string[] = [];
    const asked = repeated(
      async (until) => {
        if (heard.length === 2) return 'answer';
        await once(until, 'abort');
        throw new Failure('Stopped.');
      },
      {
        signal,
        random: () => 0,
        firstAnswerMs: 10,
        late: (reason) => new Failure(reason),
        onRetry: (reason) => heard.push(reason),
      },
    );
    assert.equal(await asked, 'answer');
    assert.deepEqual(heard, ['it did not answer within 0.01 s', 'it did not answer within 0.02 s']);
  });

  it('are left to a caller who repeats, of whom each waits longer', async () => {
    const asked = repeated(
      async (until) => {
        await once(until, 'abort');
        throw new Failure('Stopped.');
      },
      { signal, firstAnswerMs: 10, attempt: 2, late: (reason) => new Failure(reason) },
    );
    await assert.rejects(asked, { message: 'it did not answer within 0.04 s', transient: true });
  });

  it('leave a slow network the time for what is sent', () => {
    const batches = 2 * 8 * 1024 * 1024; // on their way at once
    const bytesPerMs = 500_000 / 8 / 1000; // of half a megabit a second
    assert.ok(answerLimit(0, batches / 2) > batches / bytesPerMs);
    assert.deepEqual([answerLimit(0, 0), answerLimit(1, 0), answerLimit(5, 0)], [60_000, 120_000, 240_000]);
  });

  it('read Retry-After as seconds or as a date', () => {
    assert.equal(retryAfter('2'), 2000);
    assert.equal(retryAfter('Thu, 01 Jan 1970 00:00:05 GMT'), 0);
    const wait = retryAfter(new Date(Date.now() + 60_000).toUTCString()) ?? 0;
    assert.ok(wait > 50_000 && wait <= 60_000);
    assert.equal(retryAfter(null), undefined);
    assert.equal(retryAfter('soon'), undefined);
  });
});

describe('addresses', () => {
  it('are kept in one form; anything else is refused', () => {
    assert.equal(checkedUrl('http://127.0.0.1:8080/'), 'http://127.0.0.1:8080');
    assert.equal(checkedUrl('https://host/base/'), 'https://host/base');
    for (const text of ['localhost', 'ftp://x', 'http://user:pass@x', 'http://x/?key=1', ''])
      assert.throws(() => checkedUrl(text), Failure);
    assert.throws(() => checkedUrl('http://127.0.0.1:8080/mcp'), /it is the address of an MCP endpoint/);
  });
});

describe('formats', () => {
  it('keep to three figures and their widths', () => {
    assert.deepEqual([0, 999, 1000, 4_123_000, 999_600, 250_000_000].map(bytes), [
      '0 B',
      '999 B',
      '1.0 kB',
      '4.1 MB',
      '1.0 MB',
      '250 MB',
    ]);
    assert.deepEqual([800, 42_000, 187_000, 3_729_000].map(duration), ['0.8 s', '42 s', '3:07', '1:02:09']);
    assert.equal(clip('abcdef', 4), 'abc…');
    assert.deepEqual(wrap('one two three', 7), ['one two', 'three']);
  });

  it('fit a progress line into the columns there are, with all of it where it fits', () => {
    const text = {
      label: 'Sending',
      share: 0.5,
      amount: '2,506/5,012 files',
      rate: '1,234/s',
      flow: '10.2 MB/s',
      left: '0:12 left',
    };
    const plain = (_style: string, part: string) => part;
    for (let columns = 10; columns <= 160; columns += 1) {
      assert.ok(barLine(text, columns, plain).length < columns, `${columns} columns`);
    }
    assert.match(barLine(text, 120, plain), /━{14}─{14}  50% {2}2,506.*10\.2 MB\/s {2}0:12 left$/);
    assert.match(barLine(text, 80, plain), /━─+  50% {2}2,506.*0:12 left$/);
    assert.match(barLine(text, 60, plain), /━─+  50% {2}2,506/);
  });

  it('say how far files are in each step, and the mean of it', () => {
    const at = (pending: number, waiting_for: Record<string, number>) =>
      progress({ pending, waiting_for }, 200);
    const both = { done: 140, amount: 'search 200, graph 80 of 200 files' };
    assert.deepEqual(at(120, { search: 0, graph: 120 }), both);
    assert.deepEqual(at(150, { search: 150 }), { done: 50, amount: '50/200 files' });
    assert.deepEqual(at(230, { search: 30, graph: 230 }).amount, 'search 170, graph 0 of 200 files');
  });

  it('fold long lines at spaces, styles aside, and shorten paths in the middle', () => {
    assert.equal(
      fold('  \u001b[33mone two\u001b[39m three\nfour', 9),
      '  \u001b[33mone two\u001b[39m\n  three\nfour',
    );
    assert.equal(fold('longer-than-that a  b', 6), 'longer-than-that\na  b');
    assert.equal(clip('src/deep/down/file.ts', 14, 0.4), 'src/d…/file.ts');
    assert.equal(clip('file.ts', 7, 0.4), 'file.ts');
  });

  it('break the last column of a table where it is too wide', () => {
    const rows = [
      ['a', 'one two three four five'],
      ['bcd', ''],
    ];
    assert.deepEqual(tableLines(rows, 21), ['a    one two three', '     four five', 'bcd']);
    assert.deepEqual(tableLines(rows), ['a    one two three four five', 'bcd']);
  });

  it('let no control character of foreign text act on the terminal', () => {
    assert.equal(printable('a\u001b[31mb\u0007\tc\u202e'), 'a�[31mb�    c�');
    assert.equal(printable('a\u200fb\u061cc\u2028d\u2029e\u009b'), 'a�b�c�d�e�');
    const { isTTY } = process.stdout;
    const write = process.stdout.write.bind(process.stdout);
    const written: string[] = [];
    try {
      Object.assign(process.stdout, { write: (text: string) => written.push(text) });
      for (const onTerminal of [true, false]) {
        Object.assign(process.stdout, { isTTY: onTerminal });
        openTerminal(false).passage('one\n\u001b]0;two');
      }
    } finally {
      Object.assign(process.stdout, { isTTY, write });
    }
    assert.deepEqual(written, ['one\n�]0;two\n', 'one\n\u001b]0;two\n']);
  });
});
