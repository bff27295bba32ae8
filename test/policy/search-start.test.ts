/** Searches of whole folders leave out what git and runs keep there. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startOf } from '../../src/policy/start.ts';
import type { ProcessOutcome } from '../../src/processes/contract.ts';
import { policyIn } from './support.ts';

const KEPT = [
  '--exclude-dir=.git',
  '--exclude-dir=.agent_context',
  '--exclude-dir=.agent_context.lost-*',
];

const started = (line: string, version = 'grep (GNU grep) 3.8', allow: readonly string[] = []) => {
  const [name = '', ...args] = line.split(' ');
  const { mayShow } = policyIn({ rules: { user: { allow } } });
  const request = { name, args, platform: 'linux', isOutside: () => false, mayShow } as const;
  return startOf(
    request,
    async () => ({ output: version, exitCode: 0, truncatedBytes: 0 }) as ProcessOutcome,
  );
};

describe('a search', () => {
  it.each(['grep -rn key .', 'grep -R key src', 'grep --recursive key'])(
    '%s leaves out what git and runs keep',
    async (line) => {
      const [, ...args] = line.split(' ');
      const change = { kind: 'changed', args: [...KEPT, ...args], env: {} };
      expect(await started(line)).toEqual(change);
      expect(await started(line, 'grep (BSD grep, GNU compatible) 2.6.0-FreeBSD')).toEqual(change);
    },
  );

  it('of single files, or of what was named and so asked about, is as it is', async () => {
    for (const line of ['grep key a.txt', 'grep -r key .git', 'grep -r key .agent_context/blobs'])
      expect([line, (await started(line)).kind]).toEqual([line, 'as_it_is']);
  });

  it('leaves out no more than what may not be read', async () => {
    expect(await started('grep -r key .', undefined, ['read(.git/**)'])).toMatchObject({
      args: [...KEPT.slice(1), '-r', 'key', '.'],
    });
  });

  it('is refused where its program cannot leave anything out', async () => {
    expect(await started('grep -r key .', 'BusyBox v1.36.1')).toMatchObject({ kind: 'refused' });
  });

  it('by rg says the same in its own words, behind all globs of the call', async () => {
    const words = [
      ...['--iglob=!.git', '--iglob=!.git', '--iglob=!.agent_context'],
      '--iglob=!.agent_context.lost-*',
    ];
    expect(await started('rg -g * --hidden key')).toMatchObject({
      args: ['-g', '*', '--hidden', 'key', ...words],
    });
    expect(await started('rg --iglob * -- key src')).toMatchObject({
      args: ['--iglob', '*', ...words, '--', 'key', 'src'],
    });
  });

  describe('by rg', () => {
    const PARTS = ['rg', 'key', 'src'];
    /** What rg lists at each look, one after the other. */
    const looking = async (...looks: readonly (readonly string[] | Partial<ProcessOutcome>)[]) => {
      const asked: (readonly string[])[] = [];
      const { mayShow } = policyIn({ rules: { user: { allow: [] } } });
      const [name = '', ...args] = PARTS;
      const request = { name, args, platform: 'linux', isOutside: () => false, mayShow } as const;
      const change = await startOf(request, async (words) => {
        const look = looks[asked.length] ?? [];
        asked.push(words);
        const listed =
          'length' in look ? { output: look.map((file) => `${file}\0`).join('') } : look;
        return { output: '', exitCode: 0, truncatedBytes: 0, ...listed } as ProcessOutcome;
      });
      return { asked, change };
    };

    it('leaves out each file that may hold keys, by its name as it is, and says so', async () => {
      const { asked, change } = await looking(
        ['src/a.txt', 'src/.env', 'src/id_rsa', 'src/sub/.env'],
        ['src/a.txt'],
      );
      const own = ['--iglob=!.env', '--iglob=!id_rsa'];
      expect(asked[1]).toEqual(expect.arrayContaining(own));
      expect(change).toMatchObject({
        kind: 'changed',
        notice: expect.stringContaining('src/.env'),
      });
      if (change.kind === 'changed') expect(change.args.slice(-2)).toEqual(own);
    });

    it('takes no mark of a name for a pattern', async () => {
      const { asked } = await looking(['src/[a]{b}!*?.pem'], []);
      expect(asked[1]).toContain('--iglob=!\\[a\\]\\{b\\}\\!\\*\\?.pem');
    });

    it('is refused where one of them would be shown all the same', async () => {
      const { change } = await looking(['src/.env'], ['src/.env']);
      expect(change).toMatchObject({
        kind: 'refused',
        reason: expect.stringContaining('src/.env'),
      });
    });

    it.each([
      ['cut', { truncatedBytes: 1 }],
      ['not to be had', { exitCode: null }],
      ['of a program that failed', { exitCode: 3 }],
    ])('is refused where its list is %s', async (_what, look) => {
      expect((await looking(look)).change).toMatchObject({ kind: 'refused' });
      expect((await looking(['src/.env'], look)).change).toMatchObject({ kind: 'refused' });
    });
  });

  it('by diff -r does, too, where that diff can', async () => {
    const words = KEPT.map((word) => word.replace('-dir', ''));
    const gnu = 'diff (GNU diffutils) 3.8';
    for (const flags of ['-rN', '--recursive'])
      expect(await started(`diff ${flags} . sub`, gnu)).toMatchObject({
        args: [...words, flags, '.', 'sub'],
      });
    expect(await started('diff -r . sub', 'BusyBox')).toMatchObject({ kind: 'refused' });
    for (const line of ['diff a.txt b.txt', 'diff -r .git sub'])
      expect([line, (await started(line, gnu)).kind]).toEqual([line, 'as_it_is']);
  });

  it.skipIf(process.platform === 'win32')('really passes over them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tardigrade-grep-'));
    try {
      for (const name of ['.git', '.agent_context/blobs', 'src', 'sub'])
        mkdirSync(join(folder, name), { recursive: true });
      for (const file of ['.git/config', '.agent_context/blobs/ab', 'src/a.txt'])
        writeFileSync(join(folder, file), 'the key\n');
      const run = (name: string, args: readonly string[]) =>
        spawnSync(name, [...args], { cwd: folder, encoding: 'utf8' }).stdout;
      for (const line of ['grep -r key .', 'diff -rN . sub']) {
        const [name = ''] = line.split(' ');
        const change = await started(line, run(name, ['--version']));
        if (change.kind !== 'changed') throw new Error(change.kind);
        expect(run(name, change.args).match(/^.*the key$/gm)).toHaveLength(1);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
