import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunGoalOptions } from '../../src/agent.ts';
import { main } from '../../src/cli/main.ts';
import { TardigradeError } from '../../src/lib/errors.ts';
import { ProviderError } from '../../src/llm/provider.ts';
import type { Stamped } from '../../src/schema/records.ts';
import { notVerified } from '../../src/schema/state-parts/not-verified.ts';
import { scriptedRun } from './script.ts';
import {
  achieved,
  asEvent,
  type FakeEngine,
  type FakeTerminalOptions,
  fakeEngine,
  fakeTerminal,
  paused,
  runState,
} from './support.ts';

let cwd = '';
beforeAll(() => {
  cwd = mkdtempSync(`${tmpdir()}/run-command-`);
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function agent(
  argv: string[],
  engine: FakeEngine = fakeEngine(),
  options: FakeTerminalOptions = {},
) {
  const terminal = fakeTerminal({ cwd, env: { LANG: 'C.UTF-8', NO_COLOR: '1' }, ...options });
  const exitCode = await main(argv, terminal, () => Promise.resolve(engine));
  const [stdout, stderr] = [terminal.stdout.text(), terminal.stderr.text()];
  return { exitCode, stdout, stderr, terminal, engine };
}

const answered = (answer: string) => ({ ...achieved(answer), ending: 'answered' }) as const;

test('an answer is all that stdout gets where nothing was changed', async () => {
  const { exitCode, stdout } = await agent(
    ['What is here?'],
    fakeEngine({ result: answered('Two files.\n'), events: scriptedRun() }),
  );
  expect(stdout).toBe('Two files.\n');
  expect(exitCode).toBe(10);
});

test('a goal without an answer ends with one line on stdout and the facts on stderr', async () => {
  const { exitCode, stdout, stderr } = await agent(['Write a hello world script']);
  expect(exitCode).toBe(0);
  expect(stdout).toBe('Done in 0 ms\n');
  expect(stderr).toBe('✓ Done in 0 ms\n  used     4 model turns · 1,200 tokens in, 34 out\n');
});

test('a run that was taken up again says how long all of it took, as it says what all of it used', async () => {
  const result = achieved();
  const state = runState({
    ...{ workedMs: 10_000, workedBefore: 60_000, lease: { token: 2, host: 'here' } },
  });
  const { stdout } = await agent(['Write it'], fakeEngine({ result: { ...result, state } }));
  expect(stdout).toBe('Done in 1 min 10 s\n');
});

const text = (content: string) => Buffer.from(content);
const CHANGES = [
  { path: 'calc.py', before: text('a\nb\n'), after: text('a\nc\nd\n') },
  { path: 'hello.js', before: null, after: text('say();\n') },
].map((change) => ({ ...change, isChangedSince: false, problem: '' }));

test('the end says how it was proved, what was made, what to try and how to undo it, once', async () => {
  const { plan } = runState();
  const cmd = 'node hello.js';
  const result = achievedWith({
    plan: plan && { ...plan, proof: { cmd, prints: 'hello' } },
    proof: { passed: true, text: '', runs: [] },
    ended: { ending: 'achieved', detail: '' },
  });
  const proof = {
    ...{ type: 'check_ran', seq: 9, ts: 1, id: null, subtask: 'proof', proof: true },
    ...{ check: { cmd }, passed: true, text: '', printed: 'hello\n\n', facts: {} },
  } as Stamped;
  const parts = { changes: async () => CHANGES };
  const detail = `proof passed: ${cmd} (2 passed); checked: the tests of this run fail with hello.js emptied`;
  const engine = () =>
    fakeEngine({ result: { ...result, detail }, parts, events: [asEvent(proof, result.state)] });
  const shown = `✓ Done in 0 ms — proved: node hello.js (hello)`;
  const rest = `  Checked: the tests of this run fail with hello.js emptied
  new      hello.js 1 line
  changed  calc.py +2 -1
  try      node hello.js
  undo     agent undo
  used     4 model turns · 1,200 tokens in, 34 out
`;
  const piped = await agent(['Write it'], engine());
  expect(piped.stdout).toBe(`${shown.slice(2)}\n`);
  expect(piped.stderr.slice(piped.stderr.indexOf('✓ Done'))).toBe(`${shown}\n${rest}`);
  const seen = await agent(['Write it'], engine(), { isTerminal: true });
  expect(seen.stdout).toBe(`${shown}\n`);
  expect(seen.stderr).not.toContain('Done in');
});

test('the end tells what was cached and thought, and what it has cost', async () => {
  const total = { ...runState().usage.total, cacheRead: 12_000, cacheWrite: 500, thinking: 60 };
  const usage = { ...runState().usage, total, cost: { usd: 0.5, unknownTurns: 1 } };
  const { stderr } = await agent(['Write it'], fakeEngine({ result: achievedWith({ usage }) }));
  expect(stderr).toContain(
    'used     4 model turns · 13,700 tokens in, 94 out · ' +
      'of these 12,000 read from cache, 500 written to it, 60 thinking · ' +
      'at least $0.5000: the cost of 1 request is unknown\n',
  );
});

const achievedWith = (changes: Parameters<typeof runState>[0]) => ({
  ...achieved(),
  state: runState(changes),
});

test('a limit that is reached is raised in the command that goes on; the others are repeated', async () => {
  const argv = ['Write it', '--max-tokens', '1k', '--max-time', '90m', '--record', 'turns.json'];
  const next = { option: 'maxTokens', optionValue: '2300', hint: 'Go on.' } as const;
  const engine = fakeEngine({ result: { ...paused('limit_tokens'), ...next } });
  const { exitCode, stderr } = await agent(argv, engine);
  expect(exitCode).toBe(4);
  expect(stderr).toContain(
    'Resume: agent resume --max-tokens 2300 --max-time 90m --record turns.json',
  );
  // It stands there once.
  expect(stderr).not.toContain('Next:');
  const rounds = fakeEngine({ result: paused('limit_rounds') });
  const again = await agent(['Write it', '--max-rounds', '2'], rounds);
  expect(again.stderr).toContain('Resume: agent resume --max-rounds 2\n');
  expect(engine.runs[0]).toMatchObject({ maxTokens: 1000, maxTimeMs: 5_400_000 });
  expect(engine.runs[0]).not.toHaveProperty('maxCost');
});

test('an answer cannot steer the terminal, and reaches a file as it is', async () => {
  const engine = () => fakeEngine({ result: answered('\u001b[2Jred') });
  expect((await agent(['What?'], engine(), { isTerminal: true })).stdout).toBe('red\n');
  expect((await agent(['What?'], engine())).stdout).toBe('\u001b[2Jred\n');
});

test('an answer is folded between words for a person, and nowhere else', async () => {
  const words = `${'one word '.repeat(12)}more`;
  const engine = () => fakeEngine({ result: answered(words) });
  const [first, second] = (await agent(['What?'], engine(), { isTerminal: true })).stdout.split(
    '\n',
  );
  expect(`${first} ${second}`).toBe(words);
  expect((await agent(['What?'], engine())).stdout).toBe(`${words}\n`);
});

test.each([
  ['limit_rounds', 4],
  ['stalled', 5],
  ['waiting_for_person', 6],
  ['provider_unavailable', 7],
  ['disk_full', 8],
  ['interrupted', 130],
] as const)('a pause for %s exits with %i and says how to resume', async (why, code) => {
  const { exitCode, stdout, stderr } = await agent(
    ['Write it', '-w', '.', '--model', 'small:1b'],
    fakeEngine({ result: paused(why) }),
  );
  expect(exitCode).toBe(code);
  expect(stdout).toBe('');
  expect(stderr).toContain('Resume: agent resume --workspace . --model small:1b');
  expect(stderr).toContain('the reason');
});

test('a failed goal exits with 3, an unverified one with 9, and neither claims success', async () => {
  const failed = { ...achieved(), ending: 'failed', detail: 'it cannot be done' } as const;
  const first = await agent(['Write it'], fakeEngine({ result: failed }));
  expect([first.exitCode, first.stdout]).toEqual([3, '']);
  expect(first.stderr).toContain('Goal failed');
  expect(first.stderr).toContain('it cannot be done');
  const unverified = { ...achieved(), ending: 'unverified', detail: 'no proof' } as const;
  const second = await agent(['Write it'], fakeEngine({ result: unverified }));
  expect([second.exitCode, second.stdout]).toEqual([9, '']);
  expect(second.stderr).not.toContain('Done in');
});

test('the reason of a model that gave up keeps its spaces', async () => {
  const result = { ...achieved(), ending: 'failed', detail: "slug('A  B') is not clear" } as const;
  const { stderr } = await agent(['Write it'], fakeEngine({ result }));
  expect(stderr).toContain("slug('A  B')");
});

test('what nothing verified is named by what it is, and not by its number', async () => {
  const status = 'unverified' as const;
  const step = { id: '1.1', purpose: 'commit it', checks: [], status };
  const tasks = [{ id: '1', description: 'it', subtasks: [step] }];
  const state = runState({ plan: { fallback: false, tasks } });
  const result = {
    ...achieved(),
    state,
    ending: 'unverified',
    detail: notVerified(['1.1']),
  } as const;
  const { stderr } = await agent(['Write it'], fakeEngine({ result }));
  expect(stderr).toContain('\n  nothing shows that this is done: commit it\n');
});

test('a goal found finished says so and names --again', async () => {
  const result = { ...achieved('Two files.'), ending: 'already_finished', detail: '' } as const;
  const { exitCode, stdout, stderr } = await agent(['Write it'], fakeEngine({ result }));
  expect([exitCode, stdout]).toEqual([0, 'Two files.\n']);
  expect(stderr).toContain('already finished (achieved)');
  expect(stderr).toContain('--again');
});

test.each([
  ['agent resume', ['resume'], "agent --again --proof 'npm test' --with-tests 'Write it'"],
  ['the same goal', ['Write it']],
  ['the same goal with a model', ['-m', 'openai/gpt-5-mini', 'Write it']],
])('%s of a run that is finished opens no model', async (_, argv, again = '--again') => {
  const said = achieved('Two files.');
  const begun = { goal: 'Write it', givenProof: 'npm test', withTests: true } as const;
  const state = { ...said.state, ...begun };
  const result = { ...said, state, ending: 'already_finished', detail: '' } as const;
  const current = runState({ goal: 'Write it', ended: { ending: 'achieved', detail: '' } });
  const parts = { openModel: () => Promise.reject(new Error('It was opened.')) };
  const { exitCode, stderr } = await agent(argv, fakeEngine({ result, current, parts }));
  expect(stderr).toContain('already finished (achieved)');
  expect(stderr).toContain(again);
  expect(exitCode).toBe(0);
});

test.each([
  [new TardigradeError('E_TOO_NEW', 'A newer version wrote this.', 'Update.'), 8],
  [new ProviderError({ kind: 'network_error', retryable: true }, 'Not running.', 'Start it.'), 7],
  [Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC', syscall: 'write' }), 8],
])('%s becomes one message with the next step and no stack', async (failure, code) => {
  const { exitCode, stderr, engine } = await agent(['Write it'], fakeEngine({ failure }));
  expect(exitCode).toBe(code);
  expect(stderr).toMatch(/^Error: .+\n {2}Next: .+\n {2}Again: agent 'Write it'\n$/);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(engine.logged).toEqual([]);
});

test('the stack of a bug goes to the log, to the screen only with --debug', async () => {
  const failure = new TypeError('our bug', { cause: new Error('the cause') });
  const silent = await agent(['Write it'], fakeEngine({ failure }));
  expect(silent.exitCode).toBe(1);
  expect(silent.stderr).toContain('Details: agent.log');
  expect(silent.stderr).not.toMatch(/^\s+at /m);
  expect(silent.engine.logged).toEqual([failure]);
  const verbose = await agent(['Write it', '--debug'], fakeEngine({ failure }));
  expect(verbose.stderr).toMatch(/^\s+at /m);
  expect(verbose.stderr).toContain('caused by: Error: the cause');
});

test('every option reaches the engine', async () => {
  const { engine, terminal } = await agent(
    'A goal|--max-rounds|7|--context|8192|--temperature|0.5|--effort|low|--max-tool-result-chars|9000|--seed|3|--tool-mode|json|--allow|make|--again|--force-unlock'.split(
      '|',
    ),
  );
  const [run] = engine.runs;
  expect(run).toMatchObject({
    goal: 'A goal',
    workspace: cwd,
    model: 'small:1b',
    toolMode: 'json',
    temperature: 0.5,
    seed: 3,
    effort: 'low',
    maxToolResultChars: 9000,
    contextWindow: 8192,
    maxRounds: 7,
    allow: ['make'],
    again: true,
    forceUnlock: true,
  });
  expect(terminal.leftovers()).toBe(0);
});

test('a dash reads the goal from stdin; nothing else ever reads it', async () => {
  const { engine } = await agent(['-'], fakeEngine(), { input: 'Goal from a pipe\n' });
  expect(engine.runs[0]?.goal).toBe('Goal from a pipe');
  const empty = await agent(['-'], fakeEngine(), { input: ' \n' });
  expect([empty.exitCode, empty.engine.runs.length]).toEqual([2, 0]);
});

test('resume passes no goal, and refuses where there is no run', async () => {
  const { engine } = await agent(['resume'], fakeEngine({ current: runState() }));
  expect(engine.runs[0]?.goal).toBeNull();
  const none = await agent(['resume']);
  expect(none.exitCode).toBe(2);
  expect(none.stderr).toContain('There is no run to resume');
});

test.each([
  [[], ''],
  [['--json'], 'E_INTERRUPTED'],
])(
  'the first Ctrl+C aborts the run, the second ends the process with the way back (%j)',
  async (more, said) => {
    const terminal = fakeTerminal({
      cwd,
      isTerminal: true,
      env: { LANG: 'C.UTF-8', NO_COLOR: '1' },
    });
    const parts = {
      runGoal: ({ signal }: Pick<RunGoalOptions, 'signal'>) => {
        terminal.send('SIGINT');
        expect(signal?.aborted).toBe(true);
        expect(terminal.exits).toEqual([]);
        terminal.send('SIGINT');
        return Promise.resolve(paused('interrupted'));
      },
    };
    const engine = fakeEngine({ parts });
    const exitCode = await main(['Write it', ...more], terminal, () => Promise.resolve(engine));
    expect(exitCode).toBe(130);
    expect(terminal.stdout.text().match(/"type":"result"/g) ?? []).toHaveLength(more.length);
    expect(terminal.stdout.text()).toContain(said);
    expect(terminal.exits).toEqual([130]);
    expect(terminal.stderr.text()).toContain('Stopping. Press Ctrl+C again');
    expect(terminal.stderr.text()).toMatch(/Resume: agent resume( --json)?\n/);
    expect(terminal.leftovers()).toBe(0);
  },
);

test('--quiet leaves the end and the result', async () => {
  const { stdout, stderr } = await agent(
    ['Write it', '--quiet'],
    fakeEngine({ events: scriptedRun() }),
  );
  expect(stdout).toContain('Done in');
  expect(stderr.split('\n')[0]).toContain('Done in');
});

test('a held process stops right after the record it was told', async () => {
  const env = { LANG: 'C.UTF-8', TARDIGRADE_HOLD_AFTER: 'action_finished:2' };
  const { terminal } = await agent(['Write it'], fakeEngine({ events: scriptedRun() }), { env });
  expect(terminal.blocks).toEqual([60_000]);
});

test('the end names what commands did to files, and how to take it back', async () => {
  const change = { isUnseen: false, seq: 7 };
  const result = achieved();
  const state = runState({
    commandChanges: {
      files: {
        'data.csv': { ...change, before: 'a', after: 'b' },
        'old.txt': { ...change, before: 'a', after: null },
        'out.png': { ...change, before: null, after: 'b' },
      },
      uncovered: { 'film.bin': 'changed' },
      more: 0,
    },
  });
  const parts = { changes: async () => CHANGES.map((change) => ({ ...change, path: 'data.csv' })) };
  const { stderr } = await agent(['a goal'], fakeEngine({ result: { ...result, state }, parts }));
  expect(stderr).toContain('changed  data.csv +2 -1 (by a command)\n');
  expect(stderr).toContain('Changed by commands, not kept: film.bin\n');
  expect(stderr).toContain('undo     agent undo\n');
});

test('the end says once that commands changed files, where that is so of most', async () => {
  const names = ['a.ts', 'b.ts', 'c.ts', 'own.ts', 'd.ts', 'e.ts'];
  const change = { before: 'a', after: 'b', isUnseen: false, seq: 7 };
  const changedBy = async (paths: readonly string[], count: number) => {
    const files = Object.fromEntries(paths.map((path) => [path, change]));
    const state = runState({ commandChanges: { files, uncovered: {}, more: 0 } });
    const changes = async () =>
      names.slice(0, count).map((path) => ({ ...CHANGES[0], path }) as (typeof CHANGES)[0]);
    const engine = fakeEngine({ result: { ...achieved(), state }, parts: { changes } });
    const { stderr } = await agent(['a goal'], engine);
    return stderr.split('\n').find((line) => line.startsWith('  changed')) ?? '';
  };
  expect(await changedBy(names, 3)).toBe(
    '  changed  a.ts +2 -1, b.ts +2 -1, c.ts +2 -1 (all by commands)',
  );
  const most = names.filter((name) => name !== 'own.ts');
  expect(await changedBy(most, 6)).toMatch(/, e\.ts \+2 -1 \(by commands, except own\.ts\)$/);
  expect(await changedBy(['a.ts', 'b.ts'], 2)).toBe(
    '  changed  a.ts +2 -1 (by a command), b.ts +2 -1 (by a command)',
  );
});

test('the home folder is asked about, and without a terminal takes --workspace', async () => {
  const home = { env: { LANG: 'C.UTF-8', NO_COLOR: '1', HOME: cwd } };
  const silent = await agent(['Write it'], fakeEngine(), home);
  expect([silent.exitCode, silent.engine.runs.length]).toEqual([2, 0]);
  expect(silent.stderr).toContain('your home folder');
  expect(silent.stderr).toContain('--workspace');
  const named = await agent(['Write it', '--workspace', cwd], fakeEngine(), home);
  expect(named.engine.runs).toHaveLength(1);
  const no = await agent(['Write it'], fakeEngine(), { ...home, isTerminal: true, answer: '' });
  expect([no.exitCode, no.engine.runs.length, no.terminal.questions.length]).toEqual([2, 0, 1]);
  const yes = await agent(['Write it'], fakeEngine(), { ...home, isTerminal: true, answer: 'y' });
  expect(yes.engine.runs).toHaveLength(1);
  const current = runState({ ended: null });
  const again = await agent(['resume'], fakeEngine({ current }), home);
  expect(again.engine.runs).toHaveLength(1);
});
