/** npm in a repository of several packages: their scripts were there when the run began, or they ask. */
import { describe, expect, it } from 'vitest';
import { judgeIn, optionsIn, type PolicyPlace, policyIn } from './support.ts';

const of = (script: string) => ({
  'package.json': '{"scripts":{"test":"npm test --workspaces"}}',
  'a/package.json': JSON.stringify({ scripts: { test: script } }),
});
const takenOf = (files: PolicyPlace['files'] = {}) => optionsIn({ files }).builds?.taken ?? null;
const judge = (cmd: string, place: PolicyPlace = {}) =>
  judgeIn({ files: of('vitest run'), ...place })(cmd).kind;

describe('a script of packages of the workspace', () => {
  it.each([
    'npm test --workspaces',
    'npm test -ws',
    'npm test -w a',
    'npm test -sw a',
    'npm -w a run test -- -t x',
    'npm --workspace=a test',
    'npm run test --workspace a --if-present',
    'npm --prefix a test',
    'npm test --prefix=./a/',
    'npm run --prefix a test -- --prefix=../x',
  ])('runs as those of the workspace do: %s', (cmd) => {
    expect(judge(cmd)).toBe('allow');
    expect(judge(cmd, { files: of('npm publish') })).toBe('deny');
    expect(policyIn({ files: of('vitest run') }).isReadOnly(cmd)).toBe(true);
  });

  it.each(['npm test --workspaces', 'npm -w a test', 'npm --prefix a test'])(
    'asks where nobody knows that it is as it was: %s',
    (cmd) => {
      expect(judge(cmd, { taken: takenOf(of('true')) })).toBe('ask');
      const more = { ...of('vitest run'), 'b/package.json': '{}' };
      expect(judge(cmd, { files: more, taken: takenOf(of('vitest run')) })).toBe('ask');
      expect(judge(cmd, { taken: takenOf(more) })).toBe('ask');
      expect(judge(cmd, { taken: { 'package.json': '' } })).toBe('ask');
      expect(judge(cmd, { changed: ['a/.npmrc'] })).toBe('ask');
    },
  );

  it('stays in the workspace', () => {
    for (const cmd of ['npm test -w ../x', 'npm test -sw ../x', 'npm test --works=../x'])
      expect(judge(cmd), cmd).toBe('deny');
    expect(judge('npm -w a install')).toBe('ask');
  });

  it('is that of one folder that was looked at when the run began', () => {
    const files = {
      ...of('vitest run'),
      'node_modules/x/package.json': '{"scripts":{"test":"vitest run"}}',
      'b/a.txt': '',
    };
    const said = (cmd: string) => judge(cmd, { files });
    expect(said('npm --prefix a test')).toBe('allow');
    for (const words of [
      ...['--prefix b', '--prefix node_modules/x', '--prefix .', '--prefix', '--prefix=', '-C a'],
      ...['--prefix a --prefix b', '--prefix a --prefix a', '--prefix a/..', '--prefix a -w a'],
      ...['--pref a', '--prefix -a', '--prefix a --prefix=/etc', '--prefix a --global'],
      ...['--prefix ..', '--prefix=/tmp', '--prefix ../a', '--prefix ~/a', '--prefix $HOME'],
    ])
      expect(said(`npm ${words} test`), words).toBe('ask');
    expect(said('npm --prefix a install')).toBe('ask');
    expect(said('npm --prefix a publish')).toBe('deny');
  });
});
