/**
 * Whatever way its words are spelt, a search or a look by git that nobody was asked about shows no secret and
 * nothing outside: the real programs, with the options that they themselves name.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { LOOKS } from '../../src/policy/command/look-tables.ts';
import { gitLook } from '../../src/policy/git-tables.ts';
import { startOf } from '../../src/policy/start.ts';
import type { ProcessOutcome } from '../../src/processes/contract.ts';
import { dice, fc } from '../support/dice.ts';
import { policyOver } from './support.ts';

const PLANTED = 'planted-text';
const ENV = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
let home: string;
let ids: readonly string[] = [];

const run = (cwd: string, name: string, args: readonly string[], env = {}) =>
  spawnSync(name, [...args], {
    ...{ cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 20_000 },
    ...{ env: { ...ENV, ...env }, maxBuffer: 1 << 26 },
  });

/** A workspace that is a repository, and one below the root of its repository. */
const PLACES = ['top', 'top/pkg'] as const;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tardigrade-spellings-')));
  const git = (...args: string[]) => run(join(home, 'top'), 'git', args).stdout.trim();
  write('outside.txt', `KEY ${PLANTED}\n`);
  for (const folder of ['top/', 'top/pkg/']) {
    for (const path of ['.env', 'sub/.env', 'server.key', 'aux/.env', '.aws/config'])
      write(`${folder}${path}`, `KEY=${PLANTED}-1\n`);
    for (const path of ['a.txt', 'sub/b.txt']) write(`${folder}${path}`, 'KEY one\nthree\n');
    write(`${folder}.agent_context/blobs/ab`, `KEY=${PLANTED}\n`);
  }
  write('top/other/o.txt', 'KEY of other\n');
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'n');
  git('config', 'user.email', 'a@b');
  git('remote', 'add', 'origin', `https://u:${PLANTED}@example.com/KEY`);
  git('add', '-fA', '.');
  git('commit', '-qm', 'KEY one');
  for (const folder of ['top/', 'top/pkg/']) {
    for (const path of ['.env', 'sub/.env', 'aux/.env'])
      write(`${folder}${path}`, `KEY=${PLANTED}-2\nthree\n`);
    write(`${folder}a.txt`, 'KEY two\nthree\n');
  }
  git('commit', '-qam', 'KEY two');
  write('top/.env', `KEY=${PLANTED}-3\n`);
  write('top/pkg/sub/.env', `KEY=${PLANTED}-3\n`);
  write('top/a.txt', 'KEY three\n');
  symlinkSync('.git', join(home, 'top/cfg'));
  symlinkSync('../.git', join(home, 'top/pkg/cfg'));
  symlinkSync('.env', join(home, 'top/pkg/link.txt'));
  ids = ['HEAD:.env', 'HEAD:sub', 'HEAD^{tree}'].map((name) => git('rev-parse', name));
  git('tag', '-a', '-m', 'x', 'kept', 'HEAD:.env');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Nothing changes the repositories, so what git has answered is not asked again. */
const told = new Map<string, ProcessOutcome>();
function answerOf(...question: Parameters<typeof run>): ProcessOutcome {
  const key = JSON.stringify(question);
  const known = told.get(key);
  if (known !== undefined) return known;
  const { status, stdout, stderr } = run(...question);
  const answer = { exitCode: status, output: stdout + stderr, truncatedBytes: 0 } as ProcessOutcome;
  told.set(key, answer);
  return answer;
}

/** What is shown of a command that is allowed. */
async function shownBy(place: string, name: string, args: readonly string[]): Promise<string> {
  const workspace = join(home, place);
  const policy = policyOver(nodeFileSystem, workspace);
  const line = { ok: true, program: name, args: [...args], unexpanded: [] } as const;
  if (policy.judgeLine('x', undefined, line).kind !== 'allow') return '';
  const { mayShow } = policy;
  const isOutside = (path: string) => !`${path}/`.startsWith(`${workspace}/`);
  const start = await startOf(
    { name, args, platform: process.platform, isOutside, mayShow },
    async (words, env) => answerOf(workspace, name, words, env),
  );
  if (start.kind === 'refused') return '';
  const change = start.kind === 'changed' ? start : { args, env: {} };
  const { stdout, stderr } = run(workspace, name, change.args, change.env);
  return stdout + stderr;
}

const asked = new Map<string, readonly string[]>();

/** Every option of more than a letter that a program names when it is asked for help; it is asked once. */
function optionsOf(name: string, ...args: readonly string[]): readonly string[] {
  const question = [name, ...args].join(' ');
  const known = asked.get(question);
  if (known !== undefined) return known;
  const { stdout, stderr } = run(join(home, 'top'), name, args);
  const named = [...new Set(`${stdout}${stderr}`.match(/(?<=[\s,[(|])--?[a-z][a-z-]+/g))];
  asked.set(question, named);
  return named;
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.'];

const FILES =
  '.env ./.env sub/.env sub server.key a.txt sub/b.txt . .. .git .git/config cfg cfg/config link.txt aux/.env .aws ../outside.txt ../other ../.env ../../outside.txt :/ :(top).env HEAD:.env HEAD:pkg/.env HEAD:other/o.txt HEAD:../.env :.env HEAD main HEAD~1 HEAD~1..HEAD kept -'.split(
    ' ',
  );
const TEXTS = ['KEY', '.', 'three', '3', '1', '0', 'x', '', '*', '.*', 'recurse', '%(raw)'];

/** @param known options that the policy knows @param named options that the program itself names */
const words = (known: readonly string[], named: readonly string[]) => {
  const file = fc.oneof(
    fc.constantFrom(...FILES),
    fc.constantFrom(0, 1, 2).map((at) => ids[at] ?? ''),
    fc.constantFrom('../outside.txt', '../../outside.txt').map((path) => join(home, 'top', path)),
  );
  const value = fc.oneof(file, fc.constantFrom(...TEXTS));
  const short = known.filter((one) => one.length === 2).map((one) => one.slice(1));
  const letter = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('', ...short) },
    { weight: 1, arbitrary: fc.constantFrom(...LETTERS) },
  );
  const cluster = fc.tuple(
    fc.array(letter, { minLength: 1, maxLength: 3 }),
    fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: value }),
  );
  const long = known.filter((one) => one.length > 2);
  const spelt = fc.tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('--x', ...long) },
      { weight: 1, arbitrary: fc.constantFrom('--x', ...named) },
    ),
    fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value }),
    fc.nat(60),
  );
  return fc.array(
    fc.oneof(
      { weight: 3, arbitrary: cluster.map(([some, end]) => `-${some.join('')}${end}`) },
      {
        weight: 2,
        arbitrary: spelt.map(([one, joined, cut]) =>
          [cut < 9 ? one.slice(0, cut + 2) : one, joined].filter((part) => part !== null).join('='),
        ),
      },
      { weight: 4, arbitrary: value },
      { weight: 1, arbitrary: fc.constant('--') },
    ),
    { minLength: 1, maxLength: 6 },
  );
};

const isThere = (name: string): boolean => run(tmpdir(), name, ['--version']).status === 0;

async function holds(name: string, before: readonly string[], most: number) {
  const [command = ''] = before;
  const table = name === 'git' ? gitLook(command)?.options : LOOKS[name]?.options;
  const known = [...(table?.keys() ?? [])];
  const named =
    name === 'git'
      ? ['diff', 'log', ...before].flatMap((one) => optionsOf(name, one, '--git-completion-helper'))
      : optionsOf(name, '--help');
  expect(Math.min(known.length, named.length)).toBeGreaterThan(1);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PLACES), words(known, named), async (place, args) => {
      const shown = await shownBy(place, name, [...before, ...args]);
      expect([place, name, ...before, ...args, shown.includes(PLANTED)]).toEqual([
        ...[place, name, ...before, ...args],
        false,
      ]);
      // The folders beside a workspace below the root of its repository are outside.
      if (place === 'top/pkg')
        expect([...before, ...args, shown.includes('KEY of other')]).toEqual([
          ...before,
          ...args,
          false,
        ]);
    }),
    { numRuns: dice(4, most) },
  );
}

describe.skipIf(process.platform === 'win32')('without a question', () => {
  it.each(['grep', 'rg', 'diff', 'sort', 'head', 'cut', 'uniq', 'cat', 'find', 'ls', 'file'])(
    '%s shows no secret',
    async (name) => {
      if (isThere(name)) await holds(name, [], 3000);
    },
    600_000,
  );

  it.each(['diff', 'log', 'show', 'grep', 'blame', 'cat-file', 'diff-tree', 'branch', 'tag'])(
    'git %s shows no secret',
    async (command) => {
      await holds('git', [command], 1000);
    },
    600_000,
  );

  it('git shows no secret by other commands', async () => {
    for (const command of ['stash', 'remote', 'reflog', 'ls-files', 'for-each-ref', 'shortlog'])
      await holds('git', [command], 300);
  }, 600_000);
});
