import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clockTime, dayAndTime } from '../../src/cli/local-time.ts';
import { main } from '../../src/cli/main.ts';
import { statusOf } from '../../src/host/journals/run-status.ts';
import { FORMAT_VERSION } from '../../src/schema/records.ts';
import {
  type FakeEngine,
  type FakeTerminalOptions,
  fakeEngine,
  fakeTerminal,
  REPAIR_PLAN,
  runState,
  stamp,
} from './support.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'commands-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function agent(
  argv: string[],
  engine: FakeEngine = fakeEngine({ current: runState() }),
  options: FakeTerminalOptions = {},
) {
  const terminal = fakeTerminal({ cwd, env: { LANG: 'C.UTF-8', NO_COLOR: '1' }, ...options });
  const exitCode = await main(argv, terminal, () => Promise.resolve(engine));
  const tidy = (text: string) => text.replaceAll(cwd, 'FOLDER').replaceAll('\\', '/');
  const [stdout, stderr] = [tidy(terminal.stdout.text()), tidy(terminal.stderr.text())];
  return { exitCode, stdout, stderr, terminal, engine };
}

function writeJournal(): string {
  const folder = join(cwd, '.agent_context');
  mkdirSync(folder, { mode: 0o700 });
  const file = join(folder, 'history.jsonl');
  const records = stamp([
    {
      type: 'run_opened',
      format: FORMAT_VERSION,
      run: 'run-1',
      goal: 'Write\nit',
      goalHash: 'h',
      startedAt: 1,
      version: '1',
    },
    { type: 'subtask_started', subtask: '1.1' },
    { type: 'run_paused', why: 'interrupted', detail: 'Ctrl+C', hint: '' },
  ]);
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return file;
}

test('status tells where the run stands', async () => {
  const { stdout, exitCode } = await agent(['status']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "Goal       Write a hello world script
    State      stopped unexpectedly while deciding what to do; nothing recorded is lost
    Work       4 model turns, 2 actions
    Model use  1,200 tokens in, 34 out, 2.4 s of model time
    Files      hello.js
    Kept in    FOLDER/.agent_context
    Resume     agent resume

    ▸ 1 Create the script
      ✓ 1.1 write hello.js
      ▸ 1.2 run node hello.js
    · 2 Describe it
      · 2.1 write README.md
      proof: node hello.js prints "Hello"
    "
  `);
});

test('status tells the classes of tokens apart, the last turn, and what is known of the cost', async () => {
  const last = { input: 900, output: 40, thinking: 0, cacheRead: 90, cacheWrite: 10, modelMs: 800 };
  const total = { ...last, input: 2000, thinking: 60, cacheRead: 12_000, cacheWrite: 500 };
  const use = { total, last, lastChars: 0, floor: {} };
  const shown = async (cost: { usd: number; unknownTurns: number }) => {
    const current = runState({ usage: { ...use, cost } });
    const { stdout } = await agent(['status'], fakeEngine({ current }));
    return stdout;
  };
  const text = await shown({ usd: 0.01234, unknownTurns: 0 });
  expect(text).toContain(`Model use  14,500 tokens in, 100 out, 800 ms of model time
           of these 12,000 read from cache, 500 written to it, 60 thinking
Last turn  1,000 tokens in, 40 out, 800 ms
Cost       $0.0123
`);
  expect(await shown({ usd: 1.5, unknownTurns: 2 })).toContain('Cost       at least $1.50: ');
  expect(await shown({ usd: 0, unknownTurns: 2 })).not.toContain('Cost');
});

test('status --debug tells rounds', async () => {
  expect((await agent(['status', '--debug'])).stdout).toMatch(/Work +2 rounds, /);
});

test('status --json carries the standing and the whole state', async () => {
  const { stdout } = await agent(['status', '--json', '-w', '.']);
  expect(JSON.parse(stdout)).toMatchObject({
    standing: 'killed',
    owner: null,
    resume: 'agent resume --workspace .',
    usage: { input: 1200, output: 34 },
    lastTurnUsage: null,
    costUsd: null,
    unpricedTurns: 0,
    promptSize: null,
    state: { goal: 'Write a hello world script', counters: { rounds: 2 } },
  });
});

const HALF_UNDONE = { done: ['a.py'], finished: false };

test.each([
  [{ ended: { ending: 'achieved', detail: '' } }, true, 'achieved'],
  [{ paused: { why: 'stalled', detail: '', hint: '' } }, false, 'paused'],
  [{ paused: { why: 'stalled', detail: '', hint: '' } }, true, 'running'],
  [{}, true, 'running'],
  [{}, false, 'killed'],
  [{ ended: { ending: 'achieved', detail: '' }, undo: HALF_UNDONE }, false, 'undoing'],
  [{ ended: { ending: 'achieved', detail: '' }, undo: HALF_UNDONE }, true, 'running'],
] as const)('a run with %j and a living owner (%s) is %s', (changes, isAlive, standing) => {
  const owner = { host: 'here', pid: 12, startTime: '99', isAlive };
  expect(statusOf(runState(changes), owner)).toBe(standing);
});

test.each([['status'], ['plan'], ['history'], ['runs']])(
  'agent %s without a run says so on stderr and is no failure',
  async (command) => {
    const { exitCode, stdout, stderr } = await agent([command], fakeEngine());
    expect([exitCode, stdout]).toEqual([0, '']);
    expect(stderr).toContain('There is no run in this folder yet');
  },
);

test('plan shows the tree and what each subtask must fulfil', async () => {
  const { stdout } = await agent(['plan']);
  expect(stdout).toContain('▸ 1 Create the script\n  ✓ 1.1 write hello.js');
  expect(stdout).toContain('1.1: hello.js exists');
  expect(JSON.parse((await agent(['plan', '--json'])).stdout)).toHaveProperty('plan.tasks');
});

test('history tells what happened in words and local time', async () => {
  writeJournal();
  const { stdout } = await agent(['history']);
  const at = (second: number): string => clockTime(Date.UTC(2026, 0, 2, 3, 4, second));
  expect(stdout.split('\n').slice(1)).toEqual([
    `   1 ${at(5)} goal: Write it`,
    `   2 ${at(6)} begins 1.1`,
    `   3 ${at(7)} paused: Ctrl+C`,
    '',
  ]);
});

test('show gives one record whole, by its number', async () => {
  writeJournal();
  expect((await agent(['show', '3'])).stdout).toMatch(
    /^3 {2}\d{4}-.* run_paused\n {2}why {2}interrupted\n/,
  );
  expect(await agent(['show', '9'])).toMatchObject({ exitCode: 2, stdout: '' });
});

test('agent alone without a terminal is a mistake', async () => {
  expect(await agent([])).toMatchObject({ exitCode: 2, stdout: '' });
  const { exitCode, stderr } = await agent(['-m', 'openai/gpt-5-mini']);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringMatching(/agent chat -m openai\/gpt-5-mini\.\s+One\s+answer:\s+agent --exec/),
  ]);
});

test('history --raw shows one line a record, --json the lines of the disk', async () => {
  const file = writeJournal();
  appendFileSync(file, 'no json\n{"type":"half');
  expect(
    (await agent(['history', '--raw'])).stdout.replace(/\d\d:\d\d:/g, '03:04:'),
  ).toMatchInlineSnapshot(`
    "   1 03:04:05 run_opened       {"format":3,"run":"run-1","goal":"Write/nit","goalHash":"h","startedAt":1,"version":"1","durable":0}
       2 03:04:06 subtask_started  {"subtask":"1.1","durable":1}
       3 03:04:07 run_paused       {"why":"interrupted","detail":"Ctrl+C","hint":"","durable":2}
       ? unreadable: no json
    "
  `);
  const lines = (await agent(['history', '--json'])).stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ seq: 2, type: 'subtask_started' });
});

test('history --follow shows what is added and ends with Ctrl+C', async () => {
  const file = writeJournal();
  const terminal = fakeTerminal({ cwd });
  let waits = 0;
  const sleep = () => {
    waits += 1;
    if (waits === 1) appendFileSync(file, '{"type":"note","seq":4,"ts":1,"kind":"k","data":{}}\n');
    if (waits === 2) terminal.send('SIGINT');
    return Promise.resolve();
  };
  const following = { ...terminal, clock: { ...terminal.clock, sleep } };
  const exitCode = await main(['history', '-f', '--raw'], following, () =>
    Promise.resolve(fakeEngine()),
  );
  expect(exitCode).toBe(0);
  expect(terminal.stdout.text()).toContain(`   4 ${clockTime(1)} note`);
  expect(terminal.leftovers()).toBe(0);
});

test('history --follow ends when nobody reads any more', async () => {
  const terminal = fakeTerminal({ cwd });
  const sleep = () => {
    terminal.stdout.close();
    return Promise.resolve();
  };
  const following = { ...terminal, clock: { ...terminal.clock, sleep } };
  expect(
    await main(['history', '-f', '--raw'], following, () => Promise.resolve(fakeEngine())),
  ).toBe(0);
});

const LISTED = { startedAt: 0, lastAt: 60_000, records: 3 };

test('runs lists every goal and marks the current one', async () => {
  const listRuns = () => [
    { ...LISTED, id: 'b', number: 12, goal: 'Second', isCurrent: true, status: 'unfinished' },
    { ...LISTED, id: 'a', number: null, goal: 'First', isCurrent: false, status: 'achieved' },
  ];
  const { stdout } = await agent(['runs'], fakeEngine({ parts: { listRuns } }));
  expect(stdout).toBe(
    `*  12  unfinished  ${dayAndTime(60_000)}  Second\n` +
      `    -  achieved    ${dayAndTime(60_000)}  First\n`,
  );
});

test('runs gives each goal a line of its own in a narrow window', async () => {
  const run = { ...LISTED, id: 'b', number: 12, isCurrent: true, status: 'unfinished' as const };
  const listRuns = () => [{ ...run, goal: 'Write a todo list program' }];
  const terminal = fakeTerminal({ cwd, isTerminal: true, env: { NO_COLOR: '1' } });
  terminal.stdout.resize(40, 24);
  await main(['runs'], terminal, () => Promise.resolve(fakeEngine({ parts: { listRuns } })));
  expect(terminal.stdout.text()).toContain('\n       Write a todo list program\n');
});

test('undo asks first, and only a yes changes anything', async () => {
  const no = await agent(['undo'], fakeEngine(), { isTerminal: true, answer: 'n' });
  expect(no.terminal.questions).toHaveLength(1);
  expect(no.engine.undone).toEqual([]);
  expect(no.stderr).toContain('hello.js (will be removed)');
  const yes = await agent(['undo'], fakeEngine(), { isTerminal: true, answer: 'Y' });
  expect(yes.engine.undone).toEqual([cwd]);
  expect(yes.stdout).toContain('Undone: 1 file removed.');
  expect(yes.stdout).toContain('Not covered');
});

test('undo says what commands changed, what of it was not kept, and where the rest lies', async () => {
  const engine = fakeEngine({
    parts: {
      planUndo: async () => ({
        goal: 'Clean it',
        files: ['data.csv (changed by a command, will be put back)'],
        isAsBefore: false,
        left: ['film.bin (changed by a command, and not kept)'],
        commands: ['python clean.py'],
        isWatched: true,
      }),
      undo: async () => ({
        outcome: 'undone',
        ...{ restored: ['data.csv'], removed: [], leftAlone: [] },
        ...{ foldersRemoved: [], foldersLeft: [], commands: ['python clean.py'] },
        byCommands: {
          uncovered: [{ path: 'film.bin', became: 'changed' }],
          replaced: [{ path: 'data.csv', blob: 'abc' }],
        },
      }),
    },
  });
  const { stderr, stdout } = await agent(['undo'], engine, { isTerminal: true, answer: 'y' });
  expect(stderr).toContain('Left as they are:\n  film.bin (changed by a command, and not kept)');
  expect(stderr).toContain('Not covered: what these commands did outside of this folder');
  expect(stdout).toContain('left as commands left them:\n  film.bin: changed');
  expect(stdout).toContain('below .agent_context:\n  data.csv: blobs/abc');
});

test('where every file is as it was before, undo asks nothing', async () => {
  const plan = { goal: 'Write it', left: [], commands: [], isWatched: true, isAsBefore: true };
  const files = ['hello.js (is as it was before the run already)'];
  const report = { restored: [], removed: [], leftAlone: [], commands: [], foldersRemoved: [] };
  const outcomes = {
    nothing_to_undo: 'There is nothing to put back.',
    already_undone: 'undone already',
  };
  for (const [outcome, words] of Object.entries(outcomes) as ['already_undone', string][]) {
    const parts = {
      planUndo: async () => ({ ...plan, files }),
      undo: async () => ({ ...report, outcome, foldersLeft: [] }),
    };
    const done = await agent(['undo'], fakeEngine({ parts }));
    expect([done.exitCode, done.terminal.questions.length]).toEqual([0, 0]);
    expect(done.stdout).toContain(words);
  }
});

test('undo without a terminal never asks: it wants --yes', async () => {
  const refused = await agent(['undo']);
  expect([refused.exitCode, refused.terminal.questions.length]).toEqual([2, 0]);
  expect(refused.stderr).toContain('agent undo --yes');
  expect(refused.engine.undone).toEqual([]);
  const done = await agent(['undo', '--yes', '--json']);
  expect(JSON.parse(done.stdout)).toMatchObject({ outcome: 'undone', removed: ['hello.js'] });
});

const REPAIR_SAID = `Found:
  From byte 812 on, it makes no sense.
Stays:
  7 records, unchanged.
Would be lost to the run:
  two records.
`;

test('repair says what stays and what would be lost, asks, and says where the rest is', async () => {
  const no = await agent(['repair'], fakeEngine(), { isTerminal: true, answer: 'n' });
  expect(no.stderr).toBe(`${REPAIR_SAID}Nothing was changed.\n`);
  expect([no.exitCode, no.engine.repaired]).toEqual([0, []]);
  const yes = await agent(['repair'], fakeEngine(), { isTerminal: true, answer: 'y' });
  expect(yes.stdout).toContain('Repaired: 7 records kept.\nLost to the run:\n  two records.');
  expect(yes.stdout).toContain('What was there before is in q/1');
  expect(yes.engine.repaired).toEqual(['k']);
});

test('repair without a person changes nothing without --yes, in words and as JSON', async () => {
  const refused = await agent(['repair']);
  expect([refused.exitCode, refused.engine.repaired]).toEqual([8, []]);
  expect(refused.stderr).toContain(REPAIR_SAID);
  expect(refused.stderr).toContain('Run: agent repair --yes');
  const asJson = await agent(['repair', '--json']);
  expect([asJson.exitCode, asJson.engine.repaired]).toEqual([8, []]);
  expect(JSON.parse(asJson.stdout)).toEqual({ changed: false, plan: REPAIR_PLAN });
  const done = await agent(['repair', '--yes', '--json']);
  expect([done.exitCode, done.engine.repaired]).toEqual([0, ['k']]);
  expect(JSON.parse(done.stdout)).toMatchObject({
    changed: true,
    keptRecords: 7,
    quarantine: 'q/1',
  });
});

test('repair asks nothing where nothing is to be done', async () => {
  const plan = { ...REPAIR_PLAN, isNothing: true, detail: 'the journal is intact.' };
  const report = { changed: false, keptRecords: 0, quarantine: null, detail: plan.detail, plan };
  const parts = { planRepair: async () => plan, repair: async () => report };
  const { exitCode, stdout } = await agent(['repair'], fakeEngine({ parts }));
  expect([exitCode, stdout]).toEqual([0, 'Nothing to repair: the journal is intact.\n']);
});

test('setup shows its progress and says how to use what it installed', async () => {
  const { exitCode, stdout, stderr } = await agent(['setup', 'embedded']);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('fetching');
  expect(stdout).toContain('Embedded models are ready');
});

test('setup with a model says how to use that one, and refuses what is none', async () => {
  const { exitCode, stderr } = await agent(['setup', 'embedded', '--model', 'qwen2.5-coder-1.5b']);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('Next: agent --model embedded:qwen2.5-coder-1.5b "goal"');
  const refused = await agent(['setup', 'embedded', '--model', 'hf:some/repo']);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('hf:OWNER/REPO/FILE.gguf');
  const own = await agent(['setup', 'embedded', '--model', './own.gguf']);
  expect(own.stderr).toMatch(/A file of your own needs only the engine: agent setup embedded$/m);
});

test.skipIf(process.platform === 'win32').each(['mkfifo', 'mkdir'])(
  'a journal that %s made is no bug and nothing that is waited for',
  async (make) => {
    mkdirSync(join(cwd, '.agent_context'));
    execFileSync(make, [join(cwd, '.agent_context', 'history.jsonl')]);
    const { exitCode, stderr } = await agent(['history']);
    expect(exitCode).toBe(8);
    expect(stderr).toContain('FOLDER/.agent_context/history.jsonl is not a file.');
    expect(stderr).not.toContain('bug');
  },
);
