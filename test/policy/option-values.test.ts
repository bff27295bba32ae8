/** What nobody may do holds for the values of options, whatever the rules say. */
import { describe, expect, it } from 'vitest';
import { judgeIn } from './support.ts';

const FILES = { '.git/HEAD': 'ref: x\n', '.git/hooks/old': '', '.agent_context/state.json': '{}' };
const ALLOW = ['cp', 'mv', 'ln', 'tar', 'dd', 'env', 'rsync', 'mytool', 'sort', 'install', 'find'];
const kindOf = (cmd: string, allow: readonly string[] = ALLOW): string =>
  judgeIn({ files: FILES })(cmd, allow).kind;

describe('a command whose program is allowed', () => {
  it.each([
    'cp --target-directory=.git/hooks pre-commit',
    'cp -t.git/hooks pre-commit',
    'cp -t .git/hooks pre-commit',
    'cp --target-directory .git/hooks pre-commit',
    'cp --targ .git/hooks pre-commit',
    'cp -Rt .git/hooks pre-commit',
    'install --target .git x',
    'cp pre-commit .git/hooks/y',
    'cp --target-directory=.agent_context x',
    'mv --target-directory=./.git/hooks x',
    'install -t.git/hooks x',
    'ln --target-directory=.git/hooks x',
    'tar -cf .git/hooks/y x',
    'tar -cf.git/hooks/y x',
    'tar --file=.git/hooks/y -c x',
    'tar -xf x.tar -C .git/hooks',
    'dd if=x of=.git/hooks/y',
    'dd if=x of=.agent_context/state.json',
    'dd if=/dev/zero of=/dev/sda',
    'rsync x sub/../.git/hooks/y',
    'mytool --out=.git/config',
    'mytool -o.git/config',
    'mytool key=.git/config',
    'sort -o .git/hooks/y x',
    'env -S "cp x .git/hooks/y"',
    'env mytool --out=.git/config',
    'cp --target-directory=/etc x',
  ])('%s is never run', (cmd) => {
    expect(kindOf(cmd)).toBe('deny');
  });

  it.each([
    ...['cp a b', 'cp -t sub a', 'tar -cf a.tar sub', 'mytool --out=sub/x', 'dd if=a of=b'],
    ...['cp .gitignore b', 'mytool .gitattributes2'],
  ])('%s is run', (cmd) => {
    expect(kindOf(cmd)).toBe('allow');
  });

  it('behind env -S is judged as it is without it', () => {
    for (const inner of ['git push', 'sudo x', 'git reset --hard', 'npm publish'])
      for (const outer of [
        `env -S "${inner}"`,
        `env -iS "${inner}"`,
        `env --split-string="${inner}"`,
      ])
        expect([outer, kindOf(outer)]).toEqual([outer, 'deny']);
    expect(kindOf('env -S "mytool x"')).toBe('allow');
  });
});

describe('a look', () => {
  it('at what lies in .git is no change of it', () => {
    for (const cmd of ['cat .git/HEAD', 'ls .git/hooks', 'grep -r x .git/hooks'])
      expect([cmd, kindOf(cmd, [])]).not.toEqual([cmd, 'deny']);
  });

  it('that follows links asks', () => {
    expect(kindOf('find . -follow', [])).toBe('ask');
  });
});

describe('a program that listens', () => {
  it.each([
    'node --inspect=0.0.0.0:9229 a.js',
    'node --inspect-brk=[::]:1 a.js',
    'node --inspect-port 0.0.0.0:1 --inspect a.js',
    'python -m http.server',
    'python -um http.server 8000',
    'python -m http.server --bind 0.0.0.0',
    'python -m http.server -b ::',
    'python -m uvicorn app --host=0.0.0.0',
  ])('to others than this machine asks: %s', (cmd) => {
    expect(kindOf(cmd, [])).toBe('ask');
  });

  it.each([
    ...['node --inspect a.js', 'node --inspect=9229 a.js', 'node --inspect=127.0.0.1:0 a.js'],
    ...['python -m http.server --bind 127.0.0.1', 'python -m http.server 8000 -b localhost'],
  ])('to this machine is run: %s', (cmd) => {
    expect(kindOf(cmd, [])).toBe('allow');
  });
});
