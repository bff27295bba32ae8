import { describe, expect, it } from 'vitest';
import { readFile } from '../../src/tools/builtin/read-file.ts';
import { describeBinary } from '../../src/tools/files/describe-binary.ts';
import { makeWorkspace, use } from './support.ts';

const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex');
const padded = (bytes: Buffer, length = 300): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(length)]);

/** The first bytes of real files, made by the programs that are known for them. */
const FILES: readonly (readonly [string, Buffer, string])[] = [
  ['PNG', hex('89504e470d0a1a0a0000000d49484452 00000280 000001e0 0802000000'), 'PNG image'],
  ['GIF', hex('474946383961 2003 5802 f70000'), 'GIF image'],
  [
    'JPEG',
    hex('ffd8ffe000104a46494600010100000100010000 ffdb0004 0000 ffc00011080168 0280 03'),
    'JPEG image',
  ],
  [
    'WebP',
    hex('52494646 24000000 57454250 56503820 18000000 300100 9d012a 4001 f000 0000'),
    'WebP image',
  ],
  ['BMP', hex('424d 36840300 00000000 36000000 28000000 40010000 10ffffff 0100'), 'BMP image'],
  ['icon', hex('00000100 0100 2020 00000100'), 'icon'],
  ['AVIF', Buffer.from('\0\0\0\x20ftypavif'), 'AVIF image'],
  ['MP4', Buffer.from('\0\0\0\x20ftypisom'), 'MP4 or QuickTime file'],
  ['Java', hex('cafebabe 0000 003d'), 'Java class or universal Mach-O program'],
  ['font', Buffer.from('wOF2'), 'WOFF2 font'],
  ['Zstandard', hex('28b52ffd 04'), 'Zstandard archive'],
  ['static library', Buffer.from('!<arch>\n'), 'static library'],
  ['PDF', Buffer.from('%PDF-1.7\n%\u00e2\u00e3'), 'PDF document'],
  ['zip', hex('504b0304 14000000'), 'zip archive'],
  ['gzip', hex('1f8b0800'), 'gzip archive'],
  ['ELF', hex('7f454c46 02010100'), 'ELF program or library'],
  ['Windows', hex('4d5a9000'), 'Windows program or library'],
  ['WebAssembly', hex('0061736d 01000000'), 'WebAssembly module'],
  ['SQLite', Buffer.from('SQLite format 3\0'), 'SQLite database'],
  ['tar', Buffer.concat([Buffer.alloc(257, 0x61), Buffer.from('ustar')]), 'tar archive'],
];

describe('a file that is no text', () => {
  it.each(FILES)('%s is described', (_, bytes, words) => {
    expect(describeBinary(padded(bytes))).toBe(words);
  });

  it.each(FILES)('%s that is cut off anywhere is described without a throw', (_, bytes) => {
    for (let length = 0; length < bytes.length; length += 1)
      expect(() => describeBinary(bytes.subarray(0, length))).not.toThrow();
  });

  it('is told by read_file with its size, and another one is not made up', async () => {
    const workspace = makeWorkspace();
    workspace.write('logo.png', padded(FILES[0]?.[1] as Buffer));
    workspace.write('x.bin', Buffer.from([1, 0, 2]));
    expect(await use(readFile, workspace, { path: 'logo.png' })).toMatchObject({
      status: 'ok',
      content: '[logo.png is no text: PNG image, 329 bytes]',
      facts: { shows: ['logo.png'] },
    });
    expect(await use(readFile, workspace, { path: 'x.bin' })).toMatchObject({
      status: 'error',
      content: 'x.bin is a binary file of 3 bytes; it cannot be shown as text.',
    });
  });
});
