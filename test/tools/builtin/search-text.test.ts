import { describe, expect, it } from 'vitest';
import { searchText, searchTextWithin } from '../../../src/tools/builtin/search-text.ts';
import type { PerformHooks } from '../../../src/tools/contract.ts';
import { makeWorkspace, type TestWorkspace, use } from '../support.ts';

function project(): TestWorkspace {
  const workspace = makeWorkspace();
  workspace.write('README.md', '# Budget\nadd(1, 2)\n');
  workspace.write('src/money.py', 'def add(a, b):\n    return a + b\r\n\r\nTOTAL = add(1, 2)\n');
  workspace.write('src/deep/er.py', 'from money import add\n');
  workspace.write('node_modules/x/add.js', 'add(9)\n');
  workspace.write('.agent_context/runs/add.txt', 'add(9)\n');
  workspace.write('.git/add', 'add(9)\n');
  workspace.write('logo.png', Buffer.from([0x89, 0x50, 0, 0x61, 0x64, 0x64, 0x28]));
  return workspace;
}

const search = (workspace: TestWorkspace, args: Record<string, unknown>, tool = searchText) =>
  use(tool, workspace, args);

describe('search_text', () => {
  it('shows each line that holds the text, with its file and number, in a stable order', async () => {
    const result = await search(project(), { pattern: 'add(' });
    expect(result).toEqual({
      status: 'ok',
      content: [
        'README.md:2: add(1, 2)',
        'src/money.py:1: def add(a, b):',
        'src/money.py:4: TOTAL = add(1, 2)',
      ].join('\n'),
    });
  });

  it.each([
    [{ pattern: '^(def|from) ', regex: true }, ['src/deep/er.py:1', 'src/money.py:1']],
    [{ pattern: 'total', ignore_case: true }, ['src/money.py:4']],
    [{ pattern: 'add', path: 'src/deep' }, ['src/deep/er.py:1']],
    [{ pattern: 'add', path: 'src/deep/er.py' }, ['src/deep/er.py:1']],
    [{ pattern: 'add(9)', path: 'node_modules' }, ['node_modules/x/add.js:1']],
  ])('%j finds %j', async (args, places) => {
    const { content } = await search(project(), args);
    expect(content.split('\n').map((line) => line.replace(/: .*/, ''))).toEqual(places);
  });

  it.each([
    [{ pattern: 'x(' }, /^Nothing in the workspace holds "x\(" \(files searched: 3\)\./],
    [{ pattern: 'TOTALS', path: 'src' }, /^Nothing in src .*\nHint: Set ignore_case/],
    [{ pattern: 'def|from' }, /\nHint: The pattern was taken as plain text; set regex/],
  ])('%j finds nothing, says so and what else to try', async (args, words) => {
    expect(await search(project(), args)).toMatchObject({
      status: 'ok',
      content: expect.stringMatching(words),
    });
  });

  it.each([
    [{ pattern: 'a', path: '../x' }, 'leads out of the workspace'],
    [{ pattern: 'a', path: 'srx' }, 'There is no srx.'],
    [{ pattern: 'a', path: '.git' }, 'Nothing in .git is searched.'],
    [{ pattern: 'a', path: 'src/../.agent_context/runs' }, 'Nothing in .agent_context is searched'],
    [{ pattern: 'add(', regex: true }, 'Leave regex out to find the text as it stands.'],
  ])('%j is refused: %s', async (args, words) => {
    const result = await search(project(), args);
    expect(result).toMatchObject({ status: 'error', content: expect.stringContaining(words) });
  });

  it('ends a regular expression that would not, and what it stopped is no silence', async () => {
    const workspace = makeWorkspace();
    workspace.write('a.txt', `${'a'.repeat(60)}!\n`);
    const endless = { pattern: '^(a+)+$', regex: true };
    const result = await search(workspace, endless, searchTextWithin(50));
    expect(result).toMatchObject({
      status: 'error',
      content: expect.stringContaining('takes too long'),
    });
    const after = await search(workspace, { pattern: 'a!', regex: true });
    expect(after.status).toBe('ok');
  });

  it('shows the pattern that nothing holds as it was given', async () => {
    const nothing = await search(project(), { pattern: '\\b_?Gone\\b', regex: true });
    expect(nothing.content).toContain('holds "\\b_?Gone\\b" (files searched');
  });

  it('names files of keys only where it would have read them', async () => {
    const workspace = project();
    workspace.write('.env', 'KEY=1\n');
    workspace.write('src/id_rsa', 'add(\n');
    const notes = async (args: Record<string, unknown>) =>
      (await search(workspace, { pattern: 'TOTAL', ...args })).content.split('\n').slice(1);
    expect(await notes({})).toEqual([
      '[files that keep keys or passwords, left out: .env, src/id_rsa]',
    ]);
    expect(await notes({ path: 'src' })).toEqual([
      '[files that keep keys or passwords, left out: src/id_rsa]',
    ]);
    expect(await notes({ glob: '*.py' })).toEqual([]);
    expect(await notes({ glob: '{*.py,.env}' })).toEqual([
      '[files that keep keys or passwords, left out: .env]',
    ]);
  });

  it('shows at most a hundred lines and says that there are more', async () => {
    const workspace = makeWorkspace();
    workspace.write('many.txt', 'hit\n'.repeat(500));
    const lines = (await search(workspace, { pattern: 'hit' })).content.split('\n');
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe('[only the first 100 lines are shown; offset 100 goes on]');
  });

  it('goes on behind an offset to the last line, and says where nothing lies behind it', async () => {
    const workspace = makeWorkspace();
    workspace.write('many.txt', Array.from({ length: 250 }, (_, at) => `hit ${at + 1}\n`).join(''));
    const from = async (offset: number) =>
      (await search(workspace, { pattern: 'hit', offset })).content.split('\n');
    const second = await from(100);
    expect(second[0]).toBe('many.txt:101: hit 101');
    expect(second.at(-1)).toBe('[only 101 to 200 of the lines are shown; offset 200 goes on]');
    const last = await from(200);
    expect(last).toHaveLength(50);
    expect(last.at(-1)).toBe('many.txt:250: hit 250');
    expect(await from(250)).toEqual(['There are 250 results; nothing lies behind them.']);
  });

  it.each([{ regex: false }, { regex: true }])(
    'gives files with their counts alone, %j',
    async (more) => {
      const workspace = makeWorkspace();
      workspace.write('a/many.txt', 'hit\n'.repeat(500));
      for (let at = 0; at < 120; at += 1)
        workspace.write(`b/${String(at).padStart(3, '0')}.txt`, 'a hit\n\nhit, hit\n');
      const found = async (offset: number) =>
        (await search(workspace, { pattern: 'hit', files_only: true, offset, ...more })).content;
      const lines = (await found(0)).split('\n');
      expect(lines.slice(0, 2)).toEqual(['a/many.txt: 500', 'b/000.txt: 2']);
      expect(lines.at(-1)).toBe('[only the first 100 files are shown; offset 100 goes on]');
      expect((await found(100)).split('\n')).toHaveLength(21);
    },
  );

  it('shows of a long line what stands around the place, and of a large file that it is one', async () => {
    const workspace = makeWorkspace();
    workspace.write('long.js', `${'x'.repeat(5_000)}needle${'y'.repeat(5_000)}\n`);
    workspace.write('large.txt', `needle ${'z'.repeat(1024 * 1024)}`);
    const { content } = await search(workspace, { pattern: 'needle' });
    const [line = '', note] = content.split('\n');
    expect(line).toMatch(/^long\.js:1: …x{50}needley+…$/);
    expect(line.length).toBeLessThan(250);
    expect(note).toBe('[files over 1 MB, not searched: 1]');
  });

  it('gives the hint apart too, and keeps a name with a line break on its line', async () => {
    const workspace = makeWorkspace();
    workspace.write('a.txt', 'Needle\n');
    const nothing = await search(workspace, { pattern: 'needle' });
    expect(nothing.content.split('\n').at(-1)).toBe(`Hint: ${nothing.hint}`);
    if (process.platform === 'win32') return;
    workspace.write('a\nb.txt', 'needle\n');
    expect((await search(workspace, { pattern: 'needle' })).content).toBe('"a\\nb.txt":1: needle');
  });

  it('reads UTF-16 and Latin-1 as read_file does', async () => {
    const workspace = makeWorkspace();
    workspace.write('wide.txt', Buffer.from('\ufeffgrün\n', 'utf16le'));
    workspace.write('old.txt', Buffer.from('grün\n', 'latin1'));
    const { content } = await search(workspace, { pattern: 'grün' });
    expect(content).toBe('old.txt:1: grün\nwide.txt:1: grün');
  });

  it('ends early once it is cancelled', async () => {
    const workspace = project();
    const args = { pattern: 'add', path: '.', regex: false, ignore_case: false };
    const prepared = await searchText.prepare(args, workspace.context);
    const hooks = { signal: AbortSignal.abort() } as PerformHooks;
    const result = prepared.kind === 'ready' ? await prepared.perform(hooks) : prepared.result;
    expect(result.status).toBe('cancelled');
  });
});
