import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFiles } from '../../../src/tools/builtin/find-files.ts';
import { searchText } from '../../../src/tools/builtin/search-text.ts';
import { globMatcher } from '../../../src/tools/search/glob.ts';
import { fc } from '../../support/dice.ts';
import { makeWorkspace, type TestWorkspace, use } from '../support.ts';

/** Where git would leave out some. */
function project(): TestWorkspace {
  const workspace = makeWorkspace();
  const ignores = '# ours\n/dist/\n*.gen.txt\n!keep.gen.txt\nlogs\n';
  workspace.write('.gitignore', ignores.replaceAll('\n', '\r\n'));
  workspace.write('deep/.gitignore', 'only-here.txt\n!b.gen.txt\n');
  const names = ['a.txt', 'a.gen.txt', 'keep.gen.txt', 'dist/x.txt', 'deep/dist/y.txt'];
  for (const name of [...names, 'deep/b.gen.txt', 'deep/only-here.txt', 'only-here.txt'])
    workspace.write(name, 'needle\n');
  for (const name of ['logs/z.txt', 'deep/logs/z.txt', '.env', 'keys/id_rsa', 'node_modules/m.txt'])
    workspace.write(name, 'needle\n');
  return workspace;
}

const SEEN = ['a.txt', 'deep/b.gen.txt', 'deep/dist/y.txt', 'keep.gen.txt', 'only-here.txt'];

describe('braces', () => {
  it.each([
    [findFiles, { pattern: '{a,b}'.repeat(7) }],
    [findFiles, { pattern: '{a,b}'.repeat(25) }],
    [searchText, { pattern: 'x', glob: `{${'a,'.repeat(64)}a}` }],
  ] as const)(
    'that stand for more than 64 patterns are refused, and not cut unsaid',
    async (tool, args) => {
      const { status, content } = await use(tool, makeWorkspace(), args);
      expect(status).toBe('error');
      expect(content).toContain('stand for more than 64 patterns. Give several simpler ones.');
    },
  );

  it('that stand for 64 are taken', async () => {
    const workspace = makeWorkspace();
    workspace.write('bbbbbb', 'x');
    const { content } = await use(findFiles, workspace, { pattern: '{a,b}'.repeat(6) });
    expect(content).toBe('bbbbbb');
  });
});

describe('a long .gitignore', () => {
  it.each([
    [findFiles, { pattern: '*' }],
    [searchText, { pattern: 'x' }],
  ] as const)(
    'lets others have their turn between the files that it leaves out',
    async (tool, args) => {
      const workspace = makeWorkspace();
      workspace.write('.gitignore', '*.out\n');
      for (let at = 0; at < 500; at += 1) workspace.write(`${at}.out`, 'x');
      let turns = 0;
      let isOver = false;
      const turn = (): void => {
        turns += 1;
        if (!isOver) setImmediate(turn);
      };
      setImmediate(turn);
      await use(tool, workspace, args);
      isOver = true;
      expect(turns).toBeGreaterThanOrEqual(40);
    },
  );

  it('is heeded up to a bound, and what is not is said', async () => {
    const workspace = makeWorkspace();
    const lines = Array.from({ length: 1_003 }, (_, at) => `a${at}.txt`);
    workspace.write('.gitignore', `# names\n\n${lines.join('\n')}\n`);
    for (const name of ['a0.txt', 'a999.txt', 'a1000.txt']) workspace.write(name, 'x');
    const { content } = await use(findFiles, workspace, { pattern: '*.txt' });
    expect(content.split('\n')).toEqual([
      'a1000.txt',
      '[patterns of .gitignore not heeded, behind the first 1,000 of a file: 3]',
    ]);
  });
});

describe('find_files', () => {
  it('finds names in any folder, and leaves out what git ignores', async () => {
    const { content, status } = await use(findFiles, project(), { pattern: '*.txt' });
    expect(status).toBe('ok');
    expect(content.split('\n')).toEqual(SEEN);
  });

  it('names files of keys where it would have found them', async () => {
    const left = async (args: Record<string, unknown>) =>
      (await use(findFiles, project(), args)).content.split('\n').at(-1);
    const note = (names: string) => `[files that keep keys or passwords, left out: ${names}]`;
    expect(await left({ pattern: '*' })).toBe(note('.env, keys/id_rsa'));
    expect(await left({ pattern: 'id_*', path: 'keys' })).toBe(note('keys/id_rsa'));
  });

  it.each([
    [{ pattern: 'deep/**/*.txt' }, ['deep/b.gen.txt', 'deep/dist/y.txt']],
    [{ pattern: 'dist/*', path: 'deep' }, ['deep/dist/y.txt']],
    [{ pattern: '{a,keep.gen}.txt' }, ['a.txt', 'keep.gen.txt']],
    [{ pattern: '*', path: 'dist' }, ['dist/x.txt']],
    [{ pattern: './a.???' }, ['a.txt']],
  ])('%j finds %j', async (args, names) => {
    const { content } = await use(findFiles, project(), args);
    expect(content.split('\n').filter((line) => !line.startsWith('['))).toEqual(names);
  });

  it('says of nothing found what was left out', async () => {
    const { content } = await use(findFiles, project(), { pattern: 'x.txt' });
    expect(content).toMatch(
      /^No file in the workspace is named x\.txt .*\n\[ignored by \.gitignore: \d/,
    );
  });

  it.each([
    [{ pattern: '*', path: '..' }, 'leads out of the workspace'],
    [{ pattern: '*', path: 'a.txt' }, 'a.txt is a file.'],
    [{ pattern: '*', path: 'nowhere' }, 'There is no nowhere.'],
  ])('%j is refused', async (args, words) => {
    const result = await use(findFiles, project(), args);
    expect(result).toMatchObject({ status: 'error', content: expect.stringContaining(words) });
  });
});

describe('search_text among ignored files', () => {
  it('finds what git sees, and an ignored one that is named', async () => {
    const workspace = project();
    const { content } = await use(searchText, workspace, { pattern: 'needle' });
    const places = content.split('\n').flatMap((line) => /^(.*):1:/.exec(line)?.[1] ?? []);
    expect(places).toEqual(SEEN);
    const named = await use(searchText, workspace, { pattern: 'needle', path: 'dist' });
    expect(named.content).toBe('dist/x.txt:1: needle');
    const only = await use(searchText, workspace, { pattern: 'needle', glob: 'keep*' });
    expect(only.content.split('\n')[0]).toBe('keep.gen.txt:1: needle');
    const nothing = await use(searchText, workspace, { pattern: 'thread' });
    expect(nothing.content).toContain('ignored by .gitignore and not searched: 5');
  });

  it('ends whatever a .gitignore holds', async () => {
    const workspace = makeWorkspace();
    const hostile = [`${'*a'.repeat(40)}b`, '[', `${'('.repeat(400)}`, '\\', 'x'.repeat(100_000)];
    workspace.write('.gitignore', [...hostile, 'out.txt'].join('\n'));
    workspace.write(`${'a'.repeat(200)}.txt`, 'needle\n');
    workspace.write('out.txt', 'needle\n');
    const { content } = await use(searchText, workspace, { pattern: 'needle' });
    expect(content).toBe(`${'a'.repeat(200)}.txt:1: needle`);
  });

  it('looks through more files than it reads at once', async () => {
    const workspace = makeWorkspace();
    for (let folder = 0; folder < 100; folder += 1) {
      const at = path.join(workspace.root, `d${folder}`);
      fs.mkdirSync(at);
      for (let file = 0; file < 11; file += 1)
        fs.writeFileSync(path.join(at, `${file}.txt`), file === 10 ? `hit ${folder}\n` : 'miss\n');
    }
    for (const args of [{ pattern: 'hit 99' }, { pattern: '^hit 9{2}$', regex: true }]) {
      const { content } = await use(searchText, workspace, args);
      expect(content).toBe('d99/10.txt:1: hit 99');
    }
  });
});

describe('a glob', () => {
  it.each([
    ['*.ts', ['a.ts', 'x/y/a.ts'], ['a.tsx', 'ts']],
    ['src/*.ts', ['src/a.ts'], ['src/x/a.ts', 'a.ts', 'lib/src/a.ts']],
    ['src/**', ['src/a', 'src/x/y'], ['lib/a']],
    ['**/test/**/*.py', ['test/a.py', 'x/test/y/a.py'], ['test.py']],
    ['a[0-9!].txt', ['a5.txt', 'a!.txt'], ['ax.txt']],
    ['a[!x].txt', ['ay.txt'], ['ax.txt']],
    ['{a,b}/{c,d}.x', ['a/c.x', 'b/d.x'], ['a/b.x']],
    ['a.b', ['a.b'], ['axb']],
  ])('%j', (pattern, matching, other) => {
    const matches = globMatcher(pattern);
    expect(matching.filter(matches)).toEqual(matching);
    expect(other.filter(matches)).toEqual([]);
  });

  it('ends on any text, and a literal name matches itself', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'ab*?[]{},!/-.'), maxLength: 60 });
    fc.assert(fc.property(letters, letters, (pattern, name) => void globMatcher(pattern)(name)));
    const plain = fc.string({ unit: fc.constantFrom(...'abc.'), minLength: 1 });
    fc.assert(fc.property(plain, (name) => globMatcher(name)(`x/${name}`)));
    const stars = `${'*a'.repeat(200)}b`;
    expect(globMatcher(stars)('a'.repeat(4000))).toBe(false);
  });
});
