import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFileSystem } from '../../src/lib/file-system.ts';
import { readInstructions } from '../../src/run/instruction-files.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'instructions-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const readFrom = (folder: string, names?: readonly string[]) =>
  readInstructions(nodeFileSystem, join(root, folder), names);
const pathsFrom = (folder: string) => readFrom(folder).map(({ path }) => path);

test('from the root of the repository down to the folder, one of each, the nearest last', () => {
  write('AGENTS.md', 'above the repository');
  write('repo/.git/HEAD', '');
  write('repo/AGENTS.md', 'root');
  write('repo/CLAUDE.md', 'not told: AGENTS.md is there');
  write('repo/a/AGENT.md', 'a');
  write('repo/a/b/CLAUDE.md', 'b');
  write('repo/a/b/c/AGENTS.md', 'below');
  expect(readFrom('repo/a/b')).toEqual([
    { path: '../../AGENTS.md', text: 'root' },
    { path: '../AGENT.md', text: 'a' },
    { path: 'CLAUDE.md', text: 'b' },
  ]);
});

test('outside of a repository only the folder itself counts', () => {
  write('AGENTS.md', 'above');
  write('a/AGENTS.md', 'here');
  expect(pathsFrom('a')).toEqual(['AGENTS.md']);
  expect(readFrom('a/../a')[0]?.text).toBe('here');
});

test('the same text is told once, the nearest; nothing is told of nothing', () => {
  write('.git', 'gitdir: elsewhere');
  write('AGENTS.md', 'same\n');
  write('a/AGENTS.md', 'same');
  write('a/b/AGENTS.md', ' \n');
  write('a/b/CLAUDE.md', 'of b');
  expect(pathsFrom('a/b')).toEqual(['../AGENTS.md', 'CLAUDE.md']);
});

test.skipIf(process.platform === 'win32')(
  'a folder that everybody may write to ends the look upwards',
  () => {
    write('.git/HEAD', '');
    write('AGENTS.md', 'planted');
    write('a/b/AGENTS.md', 'mine');
    expect(pathsFrom('a/b')).toHaveLength(2);
    chmodSync(join(root, 'a'), 0o777);
    expect(pathsFrom('a/b')).toEqual(['AGENTS.md']);
  },
);

test('links that lead out, files for secrets, folders and bytes that are no text are left out', () => {
  write('outside/secret.md', 'private');
  write('repo/.git/HEAD', '');
  write('repo/.env', 'KEY=1');
  symlinkSync('../outside/secret.md', join(root, 'repo/AGENTS.md'));
  symlinkSync('.env', join(root, 'repo/AGENT.md'));
  mkdirSync(join(root, 'repo/CLAUDE.md'));
  expect(readFrom('repo')).toEqual([]);
  write('repo/a/AGENTS.md', Buffer.from([0, 1, 2]));
  expect(readFrom('repo/a')).toEqual([]);
  write('repo/docs/rules.md', 'rules');
  mkdirSync(join(root, 'repo/b'));
  symlinkSync('../docs/rules.md', join(root, 'repo/b/AGENTS.md'));
  expect(readFrom('repo/b')).toEqual([{ path: 'AGENTS.md', text: 'rules' }]);
});

test('what CLAUDE.md imports is told where it lies in the workspace, each once, rings too', () => {
  write('.git/HEAD', '');
  write('outside.md', 'outside');
  write('a/.env', 'KEY=1');
  write('a/docs/one.md', 'one @two.md');
  write('a/docs/two.md', 'two @../CLAUDE.md @one.md');
  const text =
    'See @docs/one.md, mail me@docs/one.md.\n`@docs/three.md` @../outside.md @.env @~/x.md @/etc/passwd';
  write('a/docs/three.md', 'three');
  write('a/CLAUDE.md', text);
  expect(readFrom('a')).toEqual([
    { path: 'CLAUDE.md', text },
    { path: 'docs/one.md', text: 'one @two.md' },
    { path: 'docs/two.md', text: 'two @../CLAUDE.md @one.md' },
  ]);
  write('b/AGENTS.md', '@outside.md');
  expect(pathsFrom('b')).toEqual(['AGENTS.md']);
});

test('32 KB of a file are read, without hidden characters and terminal codes', () => {
  write('AGENTS.md', `a\u202e\u200bb\u001b[2J\r\n${'x'.repeat(40_000)}`);
  const [file] = readFrom('.');
  expect(file?.text.startsWith('ab\nxxx')).toBe(true);
  expect(file?.text.length).toBeLessThan(32 * 1024);
});

test('other names are looked for where they are given', () => {
  write('TEAM.md', 'team');
  write('AGENTS.md', 'agents');
  expect(readFrom('.', ['TEAM.md', 'AGENTS.md'])).toEqual([{ path: 'TEAM.md', text: 'team' }]);
});
