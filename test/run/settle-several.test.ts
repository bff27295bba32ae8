import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileSystem, nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { RUN_WITHOUT_PAUSES } from '../../src/lib/interruptible.ts';
import { settle } from '../../src/run/recovery/settle.ts';
import type { SettleDeps } from '../../src/run/recovery/settle-ports.ts';
import type { JournalRecord, RecordOf } from '../../src/schema/records.ts';
import type { RunState } from '../../src/schema/state.ts';
import type { RunCmdOptions } from '../../src/tools/builtin/run-cmd.ts';
import type { ToolContext } from '../../src/tools/contract.ts';
import { executeCall } from '../../src/tools/execute.ts';
import { builtinTools } from '../../src/tools/registry.ts';
import { dice } from '../support/dice.ts';
import { lifetime } from '../support/killable-file-system.ts';
import { undoRun } from '../support/undo-run.ts';
import { allowAll, makeWorkspace, type TestWorkspace } from '../tools/support.ts';

const tools = builtinTools({} as RunCmdOptions);
const isPosix = process.platform !== 'win32';

const PATCH = `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,2 @@
 one
-two
+zwei
diff --git a/new/deep/n.txt b/new/deep/n.txt
new file mode 100644
--- /dev/null
+++ b/new/deep/n.txt
@@ -0,0 +1 @@
+made
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-going
diff --git a/m.txt b/other/m2.txt
rename from m.txt
rename to other/m2.txt
--- a/m.txt
+++ b/other/m2.txt
@@ -1 +1 @@
-moved
+moved on
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
`;

const CALLS: readonly (readonly [string, string, Record<string, unknown>])[] = [
  ['a patch over five files', 'apply_patch', { patch: PATCH }],
  ['a move', 'move_file', { path: 'm.txt', to: 'far/away/m.txt' }],
  ['a move of an empty folder', 'move_file', { path: 'empty', to: 'full/empty' }],
  ['a delete', 'delete_file', { path: 'gone.txt' }],
  ['a delete of a folder', 'delete_file', { path: 'empty' }],
  [
    'several whole files',
    'write_files',
    { files: ['x/1.txt', 'x/2.txt', 'a.txt'].map((name) => ({ path: name, content: name })) },
  ],
];

/** A workspace with files of all kinds, all of them known to the run. */
function given(overrides: Partial<FileSystem> = {}): TestWorkspace {
  const workspace = makeWorkspace(overrides);
  workspace.writeKnown('a.txt', 'one\ntwo\n');
  workspace.writeKnown('gone.txt', 'going\n');
  workspace.writeKnown('m.txt', 'moved\n');
  workspace.writeKnown('run.sh', 'echo\n');
  fs.mkdirSync(path.join(workspace.root, 'empty'));
  const modes = {
    'a.txt': 0o640,
    'gone.txt': 0o600,
    'm.txt': 0o755,
    'run.sh': 0o644,
    empty: 0o750,
  };
  for (const [name, mode] of Object.entries(modes))
    fs.chmodSync(path.join(workspace.root, name), mode);
  return workspace;
}

/** Every file and folder with its mode and content. */
function contents(root: string, folder = ''): Record<string, string> {
  return Object.fromEntries(
    fs.readdirSync(path.join(root, folder)).flatMap((name): [string, string][] => {
      const here = path.posix.join(folder, name);
      const stat = fs.statSync(path.join(root, here));
      const mode = isPosix ? (stat.mode & 0o777).toString(8) : '';
      if (stat.isDirectory()) return [[`${here}/`, mode], ...Object.entries(contents(root, here))];
      return [[here, `${mode} ${fs.readFileSync(path.join(root, here), 'utf8')}`]];
    }),
  );
}

/** A run that may die before its n-th change of the disk, and what it wrote down. */
class Run {
  readonly records: JournalRecord[] = [];
  readonly workspace: TestWorkspace;

  constructor(workspace: TestWorkspace) {
    this.workspace = workspace;
  }

  get open(): RecordOf<'action_intended'> | undefined {
    const ended = new Set(
      this.records.flatMap((one) => (one.type === 'action_finished' ? [one.id] : [])),
    );
    return this.records.find(
      (one) => one.type === 'action_intended' && !ended.has(one.id),
    ) as never;
  }

  async call(name: string, args: Record<string, unknown>, changes = Number.POSITIVE_INFINITY) {
    const life = lifetime(changes, this.workspace.context.fs);
    const call = executeCall({ id: 'call-1', name, args }, '1.1#1#0', {
      tools,
      context: this.context(life.fs),
      log: {
        intended: (record) => void this.records.push({ type: 'action_intended', ...record }),
        started: () => {},
        finished: (record) => void this.records.push({ type: 'action_finished', ...record }),
        barrier: () => {},
      },
      clock: { monotonic: () => 0 },
      signal: new AbortController().signal,
      onOutput: () => {},
      blocked: null,
      watch: null,
      decide: allowAll,
      resultHash: () => '',
    });
    const result = await call.catch(() => null);
    // What a dead process would have written down it did not.
    if (life.isDead())
      this.records.length =
        this.records.findIndex(({ type }) => type === 'action_finished') < 0
          ? this.records.length
          : 1;
    return { result, isDead: life.isDead() };
  }

  async settle(changes = Number.POSITIVE_INFINITY) {
    const life = lifetime(changes, this.workspace.context.fs);
    const { open } = this;
    if (open === undefined) return { how: 'nothing', isDead: false };
    const intent = { ...open, seq: 0, offset: 0, process: null };
    const calls = [{ id: 'call-1', name: 'x', args: {} }];
    const state = { intents: { [open.id]: intent }, pending: { calls, next: 0 }, files: {} };
    const deps: SettleDeps = {
      tools,
      context: this.context(life.fs),
      log: {
        finished: (record) => {
          life.beat();
          this.records.push({ type: 'action_finished', ...record });
        },
      },
      resultHash: () => '',
      imageOf: (hash) => this.workspace.blobs.get(hash) ?? null,
      readIntent: () => open,
      *recordingUnseen() {
        yield;
      },
      runInterruptibly: RUN_WITHOUT_PAUSES,
      wasCutBehind: () => false,
    };
    const report = await settle(state as unknown as RunState, deps).catch(() => null);
    return { how: report?.settled[0]?.how ?? 'killed', isDead: life.isDead() };
  }

  undo() {
    const { blobs, root } = this.workspace;
    return undoRun({
      fs: nodeFileSystem,
      workspace: root,
      records: () => this.records,
      append: (record) => void this.records.push(record),
      readBlob: (hash) => blobs.get(hash) ?? Buffer.from('gone'),
      storeBlob: (bytes) => this.workspace.context.storeBlob(bytes),
    });
  }

  private context(overrides: Partial<FileSystem>): ToolContext {
    const { context } = this.workspace;
    return { ...context, fs: { ...context.fs, ...overrides } };
  }
}

describe.each(CALLS)('%s', (_, name, args) => {
  it('is all or nothing through a kill before any change of the disk, and is undone to the byte', async () => {
    const done = new Run(given());
    const before = contents(done.workspace.root);
    expect((await done.call(name, args)).result).toMatchObject({ status: 'ok' });
    const after = contents(done.workspace.root);
    expect(after).not.toEqual(before);
    const words = new Set<string>();
    for (let changes = 0; ; changes += dice(3, 1)) {
      const run = new Run(given());
      const { isDead } = await run.call(name, args, changes);
      if (!isDead) break;
      expect(run.open, 'it was intended before anything changed').toBeDefined();
      // The start after it may die as well, and is simply done again.
      for (let next = changes % 5; (await run.settle(next)).isDead; next += 3);
      words.add((await run.settle()).how);
      expect(contents(run.workspace.root), `killed before change ${changes}`).toEqual(after);
      expect(run.records.at(-1)).toMatchObject({ type: 'action_finished', status: 'ok' });
      expect(run.undo()).toMatchObject({ outcome: 'undone', leftAlone: [] });
      expect(contents(run.workspace.root), `undone after ${changes}`).toEqual(before);
    }
  });

  it('says the same whether it was just done or found done after a crash', async () => {
    const run = new Run(given());
    const { result } = await run.call(name, args);
    run.records.length = 1;
    expect((await run.settle()).how).toBe('done');
    expect(run.records.at(-1)).toMatchObject({
      status: 'ok',
      result: result?.content,
      facts: { changed: true },
      hashes: result?.hashes,
    });
  });
});

it('is a conflict where a person changed one of the files since, and nothing more is touched', async () => {
  const places = new Map<string, number>();
  for (let changes = 0; ; changes += 1) {
    const run = new Run(given());
    const { isDead } = await run.call('apply_patch', { patch: PATCH }, changes);
    if (!isDead) break;
    run.workspace.write('a.txt', 'a person wrote this\n');
    const found = contents(run.workspace.root);
    expect((await run.settle()).how).toBe('conflict');
    const left = contents(run.workspace.root);
    const isTemporary = (name: string): boolean => name.endsWith('.agent.tmp');
    for (const name of Object.keys(found).filter(isTemporary)) delete found[name];
    expect(left).toEqual(found);
    const { result } = run.records.at(-1) as RecordOf<'action_finished'>;
    expect(result).toMatch(/^interrupted: a\.txt holds neither/);
    const already = /Changed already: (.*?)\. (?:Not|Read)/.exec(String(result))?.[1] ?? '';
    places.set(already, changes);
    run.undo();
    expect(contents(run.workspace.root)['a.txt']).toContain('a person wrote this');
  }
  expect(places.size, 'killed before, between and behind the changes').toBeGreaterThan(2);
});

it('finds an image that is gone, and then touches nothing', async () => {
  const run = new Run(given());
  const { isDead } = await run.call('move_file', { path: 'm.txt', to: 'n.txt' }, 2);
  expect(isDead).toBe(true);
  run.workspace.blobs.clear();
  const found = contents(run.workspace.root);
  expect((await run.settle()).how).toBe('conflict');
  const left = Object.keys(found).filter((name) => !name.endsWith('.agent.tmp'));
  expect(Object.keys(contents(run.workspace.root))).toEqual(left);
});

describe.each([
  ['while the contents are written beside their places', 'open'],
  ['while they are put in place', 'rename'],
] as const)('where the system refuses one file %s', (_, operation) => {
  const refusing = (): Partial<FileSystem> => ({
    [operation]: (...args: [string, string, number?]) => {
      const isIt = args.some((one) => /shut.new\.txt(?:\.agent\.tmp)?$/.test(String(one)));
      const isWrite = operation === 'rename' || args[1] !== 'r';
      if (isIt && isWrite) throw Object.assign(new Error('EROFS: read-only'), { code: 'EROFS' });
      return (nodeFileSystem[operation] as (...all: unknown[]) => unknown)(...args);
    },
  });
  const files = ['a.txt', 'sub/new.txt', 'shut/new.txt'].map((name) => ({
    path: name,
    content: 'new',
  }));

  it.each([
    ['at once', Number.POSITIVE_INFINITY],
    ['after a crash', 1],
    ['after a later one', 12],
  ])('all are put back, %s', async (__, changes) => {
    const run = new Run(given(refusing()));
    run.workspace.write('shut/in.txt', 'x');
    const before = contents(run.workspace.root);
    await run.call('write_files', { files }, changes);
    await run.settle();
    expect(contents(run.workspace.root)).toEqual(before);
    expect(run.records.at(-1)).toMatchObject({
      status: 'error',
      result: expect.stringMatching(/^shut\/new\.txt was not changed: .*Nothing was changed\.$/),
    });
  });
});

it('changes nothing on a full disk, and is done by the start that has room', async () => {
  let isFull = true;
  const write: FileSystem['write'] = (fd, bytes, position) => {
    if (isFull) throw Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' });
    return nodeFileSystem.write(fd, bytes, position);
  };
  const run = new Run(given({ write }));
  const before = contents(run.workspace.root);
  const { result } = await run.call('move_file', { path: 'm.txt', to: 'n.txt' });
  expect(result).toBeNull();
  expect(contents(run.workspace.root)).toEqual(before);
  isFull = false;
  expect((await run.settle()).how).toBe('done_now');
  expect(run.workspace.read('n.txt')).toBe('moved\n');
});
