import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/lib/sha256.ts';
import { listDir } from '../../src/tools/builtin/list-dir.ts';
import { readFile } from '../../src/tools/builtin/read-file.ts';
import { makeWorkspace, use } from './support.ts';

describe('read_file', () => {
  it('shows the text as it is and remembers its hash', async () => {
    const workspace = makeWorkspace();
    workspace.write('a.txt', 'one\r\ntwo\n');
    expect(await use(readFile, workspace, { path: 'a.txt' })).toEqual({
      status: 'ok',
      content: 'one\r\ntwo\n',
      facts: { shows: ['a.txt'] },
      hashes: { 'a.txt': sha256('one\r\ntwo\n') },
    });
  });

  it('shows a range of lines or the first bytes, and says what it left out', async () => {
    const workspace = makeWorkspace();
    workspace.write('a.txt', '1\n2\n3\n4\n');
    const show = async (more: object) =>
      (await use(readFile, workspace, { path: 'a.txt', ...more })).content;
    expect(await show({ start_line: 2, end_line: 3 })).toBe('[lines 2 to 3 of 4]\n2\n3');
    expect(await show({ start_line: 3 })).toBe('[lines 3 to 4 of 4]\n3\n4');
    expect(await show({ start_line: 9 })).toBe('[the file ends with line 4]\n');
    expect(await show({ start_line: 3, end_line: 2 })).toContain('lies behind');
    workspace.write('a.txt', 'äöü');
    expect(await show({ max_bytes: 3 })).toBe('[the first 3 of 6 bytes]\nä');
    expect(await show({ max_bytes: 4 })).toBe('[the first 4 of 6 bytes]\näö');
    workspace.write('a.txt', '');
    expect(await show({})).toBe('[the file is empty]\n');
  });

  it('decodes UTF-16 and a byte order mark, shows Latin-1, refuses binary files', async () => {
    const workspace = makeWorkspace();
    workspace.write('wide', Buffer.from('\ufeffgrün', 'utf16le'));
    workspace.write('bom', '\ufeffx');
    workspace.write('latin', Buffer.from('caf\xe9', 'latin1'));
    workspace.write('binary', Buffer.from([0x7f, 0x45, 0x4c, 0x47, 0, 1]));
    const show = async (file: string) => use(readFile, workspace, { path: file });
    expect((await show('wide')).content).toBe('grün');
    expect((await show('bom')).content).toBe('x');
    expect((await show('latin')).content).toBe('[not UTF-8, shown as Latin-1]\ncafé');
    expect(await show('binary')).toMatchObject({
      status: 'error',
      content: expect.stringContaining('binary file of 6 bytes'),
      // With its hash it counts as seen, so it may be replaced.
      hashes: { binary: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  it('cuts what is too long in the middle and stays within its room', async () => {
    const workspace = makeWorkspace({}, { maxResultChars: 300 });
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n');
    workspace.write('a.txt', lines);
    const { content } = await use(readFile, workspace, { path: 'a.txt' });
    expect(content.length).toBeLessThanOrEqual(300);
    expect(content).toMatch(
      /^line 0\n.*\[\.\.\. \d+ characters \(\d+ lines\) left out; start_line/s,
    );
    expect(content.endsWith('line 499')).toBe(true);
  });

  it('reads a range out of a huge file and hashes all of it', async () => {
    const workspace = makeWorkspace();
    const huge = Buffer.from('0123456789abcde\n'.repeat(600_000));
    workspace.write('huge.txt', huge);
    const result = await use(readFile, workspace, {
      path: 'huge.txt',
      start_line: 599_999,
      end_line: 599_999,
    });
    expect(result.content).toContain('only a part was looked at');
    expect(result.content.endsWith('0123456789abcde')).toBe(true);
    expect(result.hashes).toEqual({ 'huge.txt': sha256(huge) });
    const said = async (start_line: number, end_line: number): Promise<string> => {
      const range = { path: 'huge.txt', start_line, end_line };
      return (await use(readFile, workspace, range)).content.split(']')[0] ?? '';
    };
    // How many lines follow the part that was read is not known.
    expect(await said(1, 2)).toMatch(/; lines 1 to 2, and more follow$/);
    expect(await said(599_999, 600_000)).toMatch(/; lines 599999 to 600000 of 600000$/);
    expect(await said(700_000, 700_001)).toMatch(/; it ends before that line$/);
  });

  it('suggests near names, refuses folders and what is no regular file', async () => {
    const workspace = makeWorkspace();
    workspace.write('src/hello_world.py', '');
    workspace.write('README.md', '');
    const say = async (file: string) => (await use(readFile, workspace, { path: file })).content;
    expect(await say('hello_world.py')).toContain('Did you mean src/hello_world.py?');
    // Elsewhere the disk takes both for one.
    if (process.platform === 'linux') expect(await say('readme.md')).toContain('README.md');
    expect(await say('zzzzzzz')).toContain('list_dir shows');
    expect(await say('src')).toContain('is a folder');
    expect(await say('../x')).toContain('leads out of the workspace');
  });
});

describe('list_dir', () => {
  it('lists folders and files in a stable order, without caches and our own folder', async () => {
    const workspace = makeWorkspace();
    for (const file of ['b.py', 'a/x', '__pycache__/b.pyc', '.agent_context/state.json']) {
      workspace.write(file, 'xyz');
    }
    fs.symlinkSync('b.py', path.join(workspace.root, 'link'));
    expect((await use(listDir, workspace, {})).content).toBe('a/\nb.py (3 bytes)\nlink (link)');
    expect((await use(listDir, workspace, { path: 'a/' })).content).toBe('x (3 bytes)');
  });

  it('says that a folder is empty, missing or a file, and how many entries it left out', async () => {
    const workspace = makeWorkspace({}, { maxResultChars: 100_000 });
    const list = async (folder: string) =>
      (await use(listDir, workspace, { path: folder })).content;
    expect(await list('.')).toBe('(empty)');
    expect(await list('nothing')).toContain('There is no nothing');
    for (let index = 0; index < 510; index += 1) workspace.write(`many/${index}`, '');
    expect(await list('many')).toContain('... and 10 more');
    expect(await list('many/1')).toContain('is a file');
  });

  it.skipIf(process.platform === 'win32')(
    'shows a name with a line break on one line',
    async () => {
      const workspace = makeWorkspace();
      workspace.write('a\nb', '');
      expect((await use(listDir, workspace, {})).content).toBe('"a\\nb" (0 bytes)');
    },
  );
});
