/** Git that only reads starts nothing that a repository names: a real git, and a mark for each way. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { readGit, whatShows } from '../../src/policy/git-tables.ts';
import { startOf } from '../../src/policy/start.ts';
import type { ProcessOutcome } from '../../src/processes/contract.ts';
import { systemMachine } from '../../src/run/machine.ts';
import { runCmdTool } from '../../src/tools/builtin/run-cmd.ts';
import { splitCommand } from '../../src/tools/commands/split-command.ts';
import { baseRepository, HOSTILE_WAYS, repositoryAt, wasStarted } from '../support/hostile-git.ts';
import { makeWorkspace, use } from '../tools/support.ts';
import { policyOver } from './support.ts';

let home: string;
let base: string;

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tardigrade-git-')));
  base = join(home, 'base');
  baseRepository(base);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const machine = systemMachine({
  env: { PATH: process.env.PATH, HOME: '/nonexistent' },
  nodePath: process.execPath,
});

/** The tool in a repository that nothing changes: what git has answered there is not asked again. */
function toolIn(folder: string) {
  const processes = machine.processes(folder, []);
  const told = new Map<string, Promise<ProcessOutcome>>();
  const run: typeof processes.run = (request, hooks) => {
    const question = JSON.stringify(request);
    const answer = told.get(question) ?? processes.run(request, hooks);
    told.set(question, answer);
    return answer;
  };
  return async (cmd: string) => {
    const workspace = makeWorkspace({}, { workspace: folder, processes: { ...processes, run } });
    return await use(runCmdTool({ programs: processes.programs, startOf }), workspace, { cmd });
  };
}

describe.skipIf(process.platform === 'win32')('a hostile repository', () => {
  it.each(HOSTILE_WAYS)('starts nothing by $name', async ({ name, lines, fires, arm }) => {
    const mark = `mark-${HOSTILE_WAYS.findIndex((way) => way.name === name)}`;
    const repository = repositoryAt(base, join(home, `${mark}-r`), mark);
    arm(repository);
    wasStarted(repository.folder, mark);
    const through = toolIn(repository.folder);
    for (const line of lines) {
      await through(line);
      expect([line, wasStarted(repository.folder, mark)]).toEqual([line, false]);
    }
    // The same repository does start it where git is started as anybody would.
    const [line = ''] = lines;
    const split = splitCommand(line, process.platform);
    if (split.ok) spawnSync('git', [...split.args], { cwd: repository.folder, timeout: 5000 });
    expect(wasStarted(repository.folder, mark)).toBe(fires);
  });

  it('shows no file outside, where the repository says that its files lie there', async () => {
    const { folder, config } = repositoryAt(base, join(home, 'elsewhere'), 'elsewhere');
    const secret = join(home, 'a.txt');
    writeFileSync(secret, 'a secret of somebody\n');
    config('core.worktree', home);
    const through = toolIn(folder);
    for (const line of ['git diff', 'git status', 'git blame a.txt']) {
      const { status, content } = await through(line);
      expect(status).toBe('denied');
      expect(content).toContain('lies outside the workspace');
      expect(content).not.toContain('secret of');
    }
    config('core.worktree', folder);
    expect((await toolIn(folder)('git diff')).content).toContain('+changed since');
  });

  it('says what it always says: the output is that of git', async () => {
    const through = toolIn(repositoryAt(base, join(home, 'plain'), 'plain').folder);
    expect((await through('git diff')).content).toContain('+changed since');
    expect((await through('git log --oneline')).content).toMatch(/ two\n.* one/);
    expect((await through('git -C . status --short')).content).toContain(' M a.txt');
    expect((await through('git blame a.txt')).status).toBe('ok');
  });
});

it('questions to git end with the run that they are asked for', async () => {
  const stop = new AbortController();
  const signals: AbortSignal[] = [];
  const processes = machine.processes(home, []);
  const context = makeWorkspace(
    {},
    {
      ...{ workspace: home, signal: stop.signal },
      processes: {
        ...processes,
        run: async (_, { signal }) => {
          signals.push(signal);
          return outcome({});
        },
      },
    },
  ).context;
  const tool = runCmdTool({ programs: processes.programs, startOf });
  await tool.prepare({ cmd: 'git status', timeout_sec: 1 }, context);
  expect(signals).toEqual([stop.signal]);
});

describe.skipIf(process.platform === 'win32')('a file that may hold keys', () => {
  const planted = 'planted-in-a-key-file';
  let keyed: string | undefined;
  const withKeys = (): string => {
    const { folder, git, write } = repositoryAt(base, join(home, 'keyed'), 'keyed');
    for (const path of ['.env', 'old.pem', 'notes.txt']) write(path, `first ${planted}\n`);
    git('add', '-f', '.env', 'old.pem', 'notes.txt');
    git('commit', '-qm', 'three');
    write('.env', `second ${planted}\n`);
    write('notes.txt', 'seen\n');
    git('mv', 'old.pem', 'moved.txt');
    return folder;
  };
  const at = (name: string) => {
    keyed ??= withKeys();
    const repository = repositoryAt(keyed, join(home, name), name);
    return { ...repository, through: toolIn(repository.folder) };
  };

  it('is left out of what git shows of many, and named', async () => {
    const { through } = at('keys');
    for (const line of [
      'git diff',
      'git diff HEAD',
      'git diff -M HEAD -- .',
      'git diff -w --stat -p',
    ]) {
      const { content } = await through(line);
      expect([line, content]).toEqual([line, expect.stringContaining('+seen')]);
      expect([line, content]).not.toEqual([line, expect.stringContaining(`second ${planted}`)]);
      expect(content).toContain('".env"');
    }
    for (const line of [
      'git show',
      'git log -p -n 1',
      'git log -U0 -n1 HEAD',
      'git diff-tree -p HEAD',
    ]) {
      const { content } = await through(line);
      expect([line, content.split(planted).length - 1]).toEqual([line, 1]);
      expect(content).toContain('".env", "old.pem"');
    }
    for (const line of ['git grep -n first HEAD', 'git grep -n first HEAD -- .']) {
      const { content } = await through(line);
      expect([line, content]).toEqual([line, expect.stringContaining('HEAD:notes.txt:1:first')]);
      expect([line, content.split(planted).length - 1]).toEqual([line, 1]);
      expect(content).toContain('".env"');
    }
    const searched = await through('git grep second');
    expect(searched.content).not.toContain(planted);
    expect((await through('git diff --stat')).content).toContain('.env');
    expect((await through('git log --oneline -n 1')).content).toMatch(/three$/);
  });

  it('is not shown by the name that git gave its content', async () => {
    const { through, git } = at('objects');
    const blob = git('rev-parse', 'HEAD:.env').trim();
    const lines = [
      `show ${blob}`,
      `show ${blob.slice(0, 8)}`,
      `cat-file -p ${blob}`,
      `diff ${blob} HEAD:a.txt`,
    ];
    const ends = [`diff ${blob}..${blob}`, `cat-file blob ${blob}`, `show ${blob} -t`];
    for (const line of [...lines, ...ends]) {
      const { status, content } = await through(`git ${line}`);
      expect([line, status]).toEqual([line, 'denied']);
      expect(content).not.toContain(planted);
    }
    expect((await through('git cat-file -p HEAD')).content).toContain('tree ');
    expect((await through(`git cat-file -t ${blob}`)).content).toContain('blob');
  });

  it('is shown by no flag that changes how git lists files', async () => {
    const { folder, through, git } = at('flags');
    mkdirSync(join(folder, 'sub', '.aws'), { recursive: true });
    writeFileSync(join(folder, 'sub', '.env'), `third ${planted}\n`);
    writeFileSync(join(folder, 'sub', '.aws', 'config'), `fourth ${planted}\n`);
    for (const path of ['notes.txt', 'moved.txt']) writeFileSync(join(folder, path), 'seen\n');
    git('add', '-fA', '.');
    git('commit', '-qm', 'four');
    writeFileSync(join(folder, '.env'), `fifth ${planted}\n`);
    writeFileSync(join(folder, 'sub', '.env'), `sixth ${planted}\n`);
    writeFileSync(join(folder, 'notes.txt'), 'seen twice\n');
    const env = git('rev-parse', 'HEAD:.env').trim();
    git('tag', '-a', '-m', 'x', 'kept', 'HEAD:.env');
    const aws = git('rev-parse', 'HEAD:sub/.aws').trim();
    const searches = ['-C 1', '-B 2', '--color=always', '--no-null', '--heading', '-e -Lx -e'];
    const lines = [
      ...searches.map((flags) => `git grep ${flags} ${planted}`),
      ...[`git grep ${planted} HEAD:sub`, `git grep ${planted} ${env}`],
      ...[`git grep . ${aws}`, `git grep ${planted} :/four`, 'git grep -f -'],
      ...['diff', 'log -p -n1', 'show'].map((of) => `git ${of} --exit-code`),
      ...['log -p --graph', 'log -p --stdin', 'log -wp', 'log -p --name-status'],
      ...['diff --line-prefix=zz', 'diff --relative=sub', 'diff --src-prefix notes.txt'],
      ...['diff -S --stat', `diff -S${planted} --raw -p`, 'diff-tree -p --root HEAD'],
      ...['log --author -Lx -p', 'log --full-diff -p -- moved.txt', 'log -p --follow moved.txt'],
      ...['diff-tree -rp HEAD', `diff ${aws} HEAD`, `diff HEAD~1:sub HEAD:sub`],
      ...[
        'show -S HEAD:notes.txt',
        'show HEAD:notes.txt HEAD',
        'diff -s -p',
        'show --diff-filter=M',
      ],
    ].map((line) => (line.startsWith('git ') ? line : `git ${line}`));
    const shown: string[] = [];
    const policy = policyOver(nodeFileSystem, folder);
    for (const line of lines) {
      if (policy.judgeLine(line).kind !== 'allow') continue;
      const { content } = await through(line);
      if (new RegExp(`(?:second|third|fourth|fifth|sixth) ${planted}`).test(content))
        shown.push(line);
    }
    expect(shown).toEqual([]);
  });

  it('hides no other file, whatever the flags', async () => {
    const { through, git } = at('others');
    git('tag', '-a', '-m', 'named', 'v1', 'HEAD~1');
    const lines: readonly (readonly [line: string, has: string])[] = [
      ['git diff --exit-code', '+seen'],
      ['git diff -M --relative HEAD -- .', '+seen'],
      ['git diff notes.txt', '+seen'],
      ['git grep -C 1 seen', 'notes.txt:seen'],
      ['git grep -h seen', 'seen'],
      ['git show HEAD:notes.txt', 'exit code 0\nfirst'],
      ['git show v1', '+two'],
      ['git log --graph --oneline --stat', '.env'],
      ['git log --author Somebody --oneline', 'three'],
      ['git log -L1,1:notes.txt', '+first'],
    ];
    for (const [line, has] of lines) {
      const { content } = await through(line);
      expect([line, content]).toEqual([line, expect.stringContaining(has)]);
    }
    const { status, content } = await through('git diff nothing');
    expect([status, content]).toEqual(['error', expect.stringContaining("argument 'nothing'")]);
  });
});

it.each(['-U', '-U3', '-U+3', '-U-1', '-U 3'])(
  '%s of git shows lines, whatever else is said',
  (flag) => {
    for (const command of ['log', 'show', 'diff', 'diff-tree'])
      expect(whatShows(command, readGit(command, ['--stat', ...flag.split(' ')]))).toBe('lines');
  },
);

const outcome = (more: Partial<ProcessOutcome>): ProcessOutcome => ({
  kind: 'exited',
  exitCode: 0,
  signal: null,
  output: '',
  truncatedBytes: 0,
  durationMs: 1,
  ...more,
});
const start = (args: readonly string[], answer: ProcessOutcome) =>
  startOf(
    { name: 'git', args, platform: 'linux', isOutside: () => false, mayShow: () => true },
    async () => answer,
  );

describe('the start of git', () => {
  it('is refused where git is too old to heed what it is told', async () => {
    const old = outcome({ output: 'local\0core.bare\nfalse\0' });
    expect(await start(['status'], old)).toMatchObject({ kind: 'refused' });
    const older = outcome({ exitCode: 129, output: 'error: unknown option `show-scope`' });
    const refused = await start(['status'], older);
    expect(refused).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('show-scope'),
    });
  });

  it('is refused where not all settings could be read, or a filter has a name that is no text', async () => {
    const heeds = 'command\0core.hookspath\n/dev/null\0';
    expect(await start(['status'], outcome({ output: heeds, truncatedBytes: 9 }))).toMatchObject({
      kind: 'refused',
    });
    const odd = outcome({ output: `${heeds}local\0filter.\ufffd.clean\nx\0` });
    expect(await start(['status'], odd)).toMatchObject({ kind: 'refused' });
  });

  it('asks about each word once, and is refused where there are too many', async () => {
    const asked: string[] = [];
    const heeds = outcome({ output: 'command\0core.hookspath\n/dev/null\0' });
    const startOn = (words: readonly string[]) =>
      startOf(
        {
          ...{ name: 'git', args: ['show', '-s', ...words], platform: 'linux' },
          ...{ isOutside: () => false, mayShow: () => true },
        },
        async (args) => {
          asked.push(args.join(' '));
          return heeds;
        },
      );
    await startOn(Array.from({ length: 1000 }, () => 'a'));
    expect(asked.filter((line) => line.includes('cat-file'))).toHaveLength(1);
    asked.length = 0;
    const many = Array.from({ length: 51 }, (_, at) => `a${at}`);
    expect(await startOn(many)).toMatchObject({ kind: 'refused' });
    expect(asked.filter((line) => line.includes('cat-file'))).toEqual([]);
  });

  it('asks for the root of the repository once, though it lists the files twice', async () => {
    const asked: string[] = [];
    const change = await startOf(
      {
        ...{ name: 'git', args: ['diff'], platform: 'linux', isOutside: () => false },
        mayShow: (path) => path !== '/r/.env',
      },
      async (args) => {
        asked.push(args.find((word) => /^(?:config|rev-parse|diff)$/.test(word)) ?? '');
        if (args.includes('config'))
          return outcome({ output: 'command\0core.hookspath\n/dev/null\0' });
        if (args.includes('rev-parse')) return outcome({ output: '/r\n' });
        const isLeftOut = args.some((word) => word.endsWith('.env'));
        return outcome({ output: `M\0a.txt\0${isLeftOut ? '' : 'M\0.env\0'}` });
      },
    );
    expect(change).toMatchObject({ kind: 'changed', notice: expect.stringContaining('.env') });
    expect(asked).toEqual(['config', 'diff', 'rev-parse', 'diff']);
  });

  it('is left as it is for what a person allowed, and for other programs', async () => {
    const asIs = { kind: 'as_it_is' };
    expect(await start(['commit', '-m', 'x'], outcome({}))).toEqual(asIs);
    expect(await start(['log', '--ext-diff'], outcome({}))).toEqual(asIs);
    const other = {
      ...{ name: 'make', args: ['status'], platform: 'linux' },
      ...{ isOutside: () => false, mayShow: () => true },
    };
    expect(await startOf({ ...other, platform: 'linux' }, async () => outcome({}))).toEqual(asIs);
  });
});
