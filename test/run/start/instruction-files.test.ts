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
import { nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import { readInstructions } from '../../../src/run/start/instruction-files.ts';

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

test('50,000 characters of a file are read, without hidden characters and terminal codes', () => {
  write('AGENTS.md', `a\u202e\u200bb\u001b[2J\r\n${'x'.repeat(60_000)}`);
  const [file] = readFrom('.');
  expect(file?.text.startsWith('ab\nxxx')).toBe(true);
  expect(file?.text).toHaveLength(50_000);
  expect(file?.of).toBe(60_014);
});

test.each([1, 2, 3])('a character of %i bytes or more is never cut in two', (bytes) => {
  const character = ['é', '€', '🙂'][bytes - 1] ?? '';
  write('AGENTS.md', `${'a'.repeat(bytes - 1)}${character.repeat(60_000)}`);
  write('AGENT.md', `${character.repeat(60_000)}a`);
  const [rules, memory] = readFrom('.');
  expect(rules?.text).toContain(character);
  expect(rules?.text).toMatch(/^a*[é€🙂]+$/u);
  expect(memory?.text).toMatch(/^[é€🙂]+a$/u);
});

test('the memory of the folder is told beside its rules, its last 64 KB', () => {
  write('AGENTS.md', 'Use tabs.');
  write('AGENT.md', `${'* old\n'.repeat(12_000)}* new\n`);
  const [rules, memory] = readFrom('.');
  expect(rules).toEqual({ path: 'AGENTS.md', text: 'Use tabs.' });
  expect(memory).toMatchObject({ path: 'AGENT.md', of: 72_006 });
  expect(memory?.text.endsWith('* old\n* new\n')).toBe(true);
  expect(memory?.text.startsWith('* old\n')).toBe(true);
  expect(memory?.text.length).toBeGreaterThan(65_000);
});

test('every file that is named is told, in the order of the names, and the memory with them', () => {
  write('TEAM.md', 'team');
  write('AGENTS.md', 'agents');
  write('AGENT.md', '* memory\n');
  write('empty.md', ' ');
  expect(readFrom('.', ['TEAM.md', 'no.md', 'empty.md', 'AGENTS.md'])).toEqual([
    { path: 'TEAM.md', text: 'team' },
    { path: 'AGENTS.md', text: 'agents' },
    { path: 'AGENT.md', text: '* memory\n' },
  ]);
  expect(readFrom('.', ['AGENT.md', 'TEAM.md']).map(({ path }) => path)).toEqual([
    ...['AGENT.md', 'TEAM.md'],
  ]);
});
