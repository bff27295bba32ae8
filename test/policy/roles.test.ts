/** Every argument of a program that only reads has one meaning: an option, its value, a text, or a file. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { readArguments, tableOf } from '../../src/policy/command/arguments.ts';
import { realFolder } from '../support/real-run.ts';
import { judgeIn, type PolicyPlace, policyIn, policyOver } from './support.ts';

const files = { '.env': 'KEY=1\n', 'a.txt': 'x\n', 'src/b.txt': 'x\n', 'conf/x': 'x\n' };
const kindOf = (cmd: string, place: PolicyPlace = {}): string =>
  judgeIn({ files, ...place })(cmd).kind;

describe('a table of options', () => {
  const table = tableOf(
    '-n -# -e=text -A=number --color?text --context:number --merged~text -L+number',
  );
  const read = (...args: string[]) => {
    const { options, operands, unknown } = readArguments(args, table);
    const shown = options.map(({ name, value }) =>
      value === undefined ? name : `${name} ${value}`,
    );
    return [shown, operands.map(({ word }) => word), unknown];
  };

  it('tells options, values and operands apart in every spelling', () => {
    expect(read('-ne.', 'x')).toEqual([['-n', '-e .'], ['x'], null]);
    expect(read('-n3e', 'x', 'y')).toEqual([['-n', '-3', '-e x'], ['y'], null]);
    expect(read('x', '-A', '3', '--', '-n')).toEqual([['-A 3'], ['x', '-n'], null]);
    expect(read('--color', 'x', '--color=never')).toEqual([
      ['--color', '--color never'],
      ['x'],
      null,
    ]);
    expect(read('--merged', 'x')).toEqual([['--merged x'], [], null]);
    expect(read('-', '--merged')).toEqual([['--merged'], ['-'], null]);
  });

  it('does not understand what it does not name, or names otherwise', () => {
    for (const words of [['-x'], ['-nx'], ['--col'], ['--colors'], ['-A', 'x'], ['-e'], ['-Ax']])
      expect([words, read(...words)[2]]).toEqual([words, words[0]]);
    for (const words of [['--context', '3'], ['--color=never=x', '-n=1'], ['-L2'], ['-L']])
      expect([words, typeof read(...words)[2]]).toEqual([words, 'string']);
  });
});

describe('a program that only reads', () => {
  it.each([
    ...['grep -e. .env', 'grep -ne. .env', 'grep -ve@ .env', 'grep -eKEY .env', 'grep -rnA 3 KEY'],
    ...['grep -rnC 2 KEY', 'grep -rnm 5 KEY', 'grep -r --max-count 5 KEY', 'grep -f.env a.txt'],
    ...['grep -r --context 3 KEY', 'grep -r --binary-files text KEY', 'rg -e. .env', 'wc -l .env'],
    ...['grep --unheard-of x a.txt', 'cat --squeeze a.txt', 'uniq a.txt +x', 'tree -Po x out.txt'],
    ...['git cat-file -p HEAD:.env', 'git show --stat HEAD HEAD:.env', 'git blame -S.env a.txt'],
    ...['git blame --ignore-revs-file=.env a.txt', 'git grep x -- .env', 'git log -p -- .env'],
    ...[
      'git log --unheard-of',
      'git tag -l --format=%(*raw)',
      'git branch --abbrev 7',
      'git log --stdin',
    ],
    ...['timeout 5 git diff', 'nice git log -p', 'env rg KEY', 'timeout 5 grep -r x src'],
  ])('asks for %s', (cmd) => expect(kindOf(cmd)).toBe('ask'));

  it.each([
    ...['grep -e. /x/y', 'grep -ne. ../x', 'grep -re. /x', 'rg -e. /etc/passwd', 'rg -f /x y'],
    ...['git show HEAD:../x', 'git log -L1,2:../x', 'cat --unheard-of=/x/y'],
  ])('never runs %s, which leads outside', (cmd) => expect(kindOf(cmd)).toBe('deny'));

  it.each([
    ...['grep /api/ a.txt', 'grep -rn --include=/x id_token src', 'grep -rnA 3 id_token src'],
    ...[
      'rg id_token',
      'rg -g !x --sort path id_token src',
      'ls -la .env',
      'stat .env',
      'uniq -c a.txt',
    ],
    ...[
      'find . -newer .env',
      'du -sh .env',
      'git status .env',
      'git ls-files .env',
      'git grep -q x',
    ],
    ...['git log --oneline -- .env', 'git diff --stat -- .env', 'git cat-file -s HEAD:.env'],
    ...[
      'git grep -n id_token',
      'git log -S data.key',
      'git log --grep credentials',
      'git grep secret',
    ],
    ...[
      'git log --oneline feature/secrets',
      'git rev-parse secrets',
      'git show-ref',
      'git version',
    ],
    ...['git for-each-ref', 'git worktree list', 'git check-ignore a.txt', 'git branch --merged'],
    ...['timeout 5 grep x a.txt', 'tail -n +5 a.txt', 'sort -t , -k 2 a.txt', 'head -c 5 a.txt'],
  ])('runs %s', (cmd) => expect(kindOf(cmd)).toBe('allow'));

  it('is held by a rule on a file, also where it shows only its name', () => {
    const place = { rules: { user: { deny: ['read(conf/**)'] } } };
    for (const cmd of [
      'ls conf/x',
      'git log --oneline -- conf/x',
      'rg x',
      'grep -r x .',
      'cat conf/x',
    ])
      expect([cmd, kindOf(cmd, place)]).toEqual([cmd, 'deny']);
  });

  it('reads options behind operands only where every system does', () => {
    const kindOn = (platform: NodeJS.Platform, cmd: string) => kindOf(cmd, { platform });
    expect(kindOn('linux', 'cut a.txt -d .env -f 1')).toBe('allow');
    expect(kindOn('darwin', 'cut a.txt -d .env -f 1')).toBe('ask');
    expect(kindOn('darwin', 'stat -f %z a.txt')).toBe('allow');
    expect(kindOn('darwin', 'head a.txt -n .env')).toBe('ask');
  });

  it.skipIf(process.platform === 'win32')('sees secrets behind links and odd names', () => {
    const workspace = realFolder({
      ...{ '.git/config': 'x', '.agent_context/blobs/ab': 'x' },
      ...{ 'aux/.env': 'x', 'a:b/.env': 'x', 'c.txt': 'x' },
    });
    symlinkSync('.git', join(workspace, 'cfg'));
    symlinkSync('.agent_context', join(workspace, 'st'));
    const policy = policyOver(nodeFileSystem, workspace);
    for (const cmd of ['grep -r x cfg', 'grep -r x st', 'rg x cfg', 'cat aux/.env', 'cat a:b/.env'])
      expect([cmd, policy.judgeLine(cmd).kind]).toEqual([cmd, 'ask']);
    expect(policy.mayShow('aux/.env')).toBe(false);
  });

  it.skipIf(process.platform === 'win32')('is judged from the root of its repository', () => {
    const top = realFolder({ 'pkg/conf/x': 'x', 'conf/x': 'x' });
    mkdirSync(join(top, '.git'));
    const policy = policyOver(nodeFileSystem, join(top, 'pkg'), [], ['read(conf/**)']);
    for (const cmd of [
      'git show HEAD:pkg/conf/x',
      'git show HEAD:./conf/x',
      'git show HEAD:conf/x',
    ])
      expect([cmd, policy.judgeLine(cmd).kind]).toEqual([cmd, 'deny']);
    expect(policyIn({ files }).judgeLine('git show HEAD:src/b.txt').kind).toBe('allow');
  });
});
