/** What the page shows of a recorded run is what the journal says of it, however its events come. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { history, status } from '../../src/index.ts';
import { foldEvents } from '../../src/page/fold/events.ts';
import { timelineOf } from '../../src/page/fold/timeline.ts';
import { sayEntry, sayRead, sayUndone, spent } from '../../src/page/fold/words.ts';
import { EMPTY_WORK, type WatchedWork } from '../../src/page/fold/work.ts';
import type { StreamEvent } from '../../src/schema/events/stream.ts';
import type { RunState } from '../../src/schema/state.ts';
import { FIXTURES_2 } from '../support/format-2.ts';
import { ASKED, atWork, finished } from '../support/page/showcase.ts';

interface Recorded {
  readonly events: readonly StreamEvent[];
  readonly state: RunState;
}

async function recorded(name: string): Promise<Recorded> {
  const workspace = mkdtempSync(join(tmpdir(), 'page-'));
  try {
    cpSync(join(FIXTURES_2, name, 'agent_context'), join(workspace, '.agent_context'), {
      recursive: true,
    });
    const events: StreamEvent[] = [];
    for await (const event of history({ workspace })) events.push(event);
    const found = await status({ workspace });
    if (found === null) throw new Error(`no run in ${name}`);
    return { events, state: found.state };
  } finally {
    rmSync(workspace, { recursive: true });
  }
}

const RUNS = readdirSync(FIXTURES_2, { withFileTypes: true })
  .filter((one) => one.isDirectory() && !/^talk-|several-goals/.test(one.name))
  .map(({ name }) => name);

const oneByOne = (events: readonly StreamEvent[], from = EMPTY_WORK): WatchedWork =>
  events.reduce((work, event) => foldEvents(work, [event]), from);

describe.each(RUNS)('the recorded run %s', (name) => {
  it('has its goal, plan, turns and tokens, and stands where it stands', async () => {
    const { events, state } = await recorded(name);
    const work = foldEvents(EMPTY_WORK, events);
    expect(work.title).toBe(state.goal);
    expect(work.plan).toEqual(state.plan);
    expect(work.turns).toBe(state.counters.turns);
    expect(work.usage).toEqual(state.usage.total);
    expect(work.seq).toBe(events.at(-1)?.seq);
    const { ended } = state;
    if (ended !== null && ended.ending !== 'undone') expect(work.standing).toBe(ended.ending);
  });

  it('is the same in one batch, event by event, and told twice', async () => {
    const { events } = await recorded(name);
    const whole = foldEvents(EMPTY_WORK, events);
    expect(oneByOne(events)).toEqual(whole);
    const middle = Math.floor(events.length / 2);
    // As after a cut: what was heard last comes again, from its record on.
    const since = events.findLastIndex(({ type }, at) => at < middle && type === 'record');
    const cut = foldEvents(EMPTY_WORK, events.slice(0, middle));
    expect(foldEvents(cut, events.slice(since))).toEqual(whole);
  });
});

describe('the fold', () => {
  const from = Date.UTC(2026, 10, 27, 9);

  it('leaves what it was given as it was', () => {
    const { events } = finished(from);
    const half = foldEvents(EMPTY_WORK, events.slice(0, 30));
    const before = structuredClone(half);
    foldEvents(half, events.slice(30));
    expect(half).toEqual(before);
    expect(EMPTY_WORK.entries).toEqual([]);
  });

  it('tells a kill and a resume at their places, and counts no time between them', () => {
    const work = foldEvents(EMPTY_WORK, atWork(from).events);
    const marks = work.entries.flatMap((entry) => (entry.kind === 'mark' ? entry.mark : []));
    expect(marks).toEqual(['opened', 'killed', 'resumed']);
    expect(work.workedMs).toBeLessThan(120_000);
    const lines = timelineOf(work.entries).filter(({ shape }) => shape === 'line');
    expect(lines.map(({ row }) => row)).toEqual([0, 1]);
    // Without its colour, a check that did not pass is no tick.
    const checks = timelineOf(work.entries).filter(({ entry }) => entry.kind === 'check');
    expect(checks.map(({ shape }) => shape)).toEqual(['cross']);
  });

  it('names the worker of a fleet that goes on, and tells of a kill only where a call was under way', () => {
    const marksAfter = (beforeLease: object[]) => {
      const began = [
        { type: 'run_opened', run: '0f1e2d3c4b5a6978', goal: 'add', startedAt: from },
        ...beforeLease,
        { type: 'lease_taken', token: 2, host: 'b', worker: 'b/12', version: '0.1.0' },
      ];
      const events = began.map((record, at) => ({
        ...{ v: 1, run: '0f1e2d3c4b5a6978', type: 'record', seq: at + 1 },
        record: { ...record, seq: at + 1, ts: from + at },
      }));
      const { entries } = foldEvents(EMPTY_WORK, events as unknown as StreamEvent[]);
      return entries.flatMap((entry) => (entry.kind === 'mark' ? [[entry.mark, entry.text]] : []));
    };
    const call = {
      id: '1.1#1#0',
      class: 'command',
      tool: 'run_cmd',
      args: { cmd: 'x' },
      files: [],
    };
    const goesOn = ['resumed', 'Worker b/12 continues where it was'];
    expect(marksAfter([]).slice(1)).toEqual([goesOn]);
    expect(marksAfter([{ type: 'action_intended', ...call }]).slice(1)).toEqual([
      ['killed', expect.any(String)],
      goesOn,
    ]);
  });

  it('counts what subtasks that are runs of their own use, each of their records once', () => {
    const usage = (input: number) => ({ ...EMPTY_WORK.usage, input, output: 10 });
    const child = (subtask: string, run: string) => ({
      ...{ type: 'child_started', subtask, child: run, files: '{}' },
    });
    const used = (subtask: string, input: number, turns: number) => ({
      ...{ subtask, turns, rounds: turns, usage: usage(input) },
      cost: { usd: turns / 2, unknownTurns: 1 },
    });
    const records = [
      child('1.1', 'a'),
      { type: 'child_rested', ...used('1.1', 100, 1) },
      { ...child('1.1', 'a'), again: true },
      { type: 'child_ended', summary: '', status: 'completed', ...used('1.1', 300, 2) },
      child('1.2', 'b'),
      { type: 'child_ended', summary: '', ...used('1.2', 50, 1) },
      // Begun anew as another run.
      child('1.2', 'c'),
      { type: 'child_ended', summary: '', ...used('1.2', 20, 1) },
    ];
    const events = records.map((record, at) => ({
      ...{ v: 1, run: '0f1e2d3c4b5a6978', type: 'record', seq: at + 1 },
      record: { ...record, seq: at + 1, ts: from + at },
    }));
    const work = foldEvents(EMPTY_WORK, events as unknown as StreamEvent[]);
    expect(work.usage).toEqual({ ...EMPTY_WORK.usage, input: 370, output: 30 });
    expect([work.turns, work.costUsd, work.unpricedTurns]).toEqual([4, 2, 3]);
    expect(work.sums).toMatchObject({
      '1.1': { tokens: 310, turns: 2 },
      '1.2': { tokens: 90, turns: 2 },
    });
  });

  it('counts thoughts, and shows a window as full as a terminal does', () => {
    const usage = { ...EMPTY_WORK.usage, input: 100, output: 10, thinking: 40 };
    const turn = { turn: 9, status: 'success', detail: '', text: '' };
    const worked = atWork(from)
      .say('turn_finished', { ...turn, purpose: 'action', usage })
      .say('turn_finished', { ...turn, purpose: 'summary', usage: { ...usage, input: 9000 } });
    const [before, after] = [atWork(from), worked].map(({ events }) =>
      foldEvents(EMPTY_WORK, events),
    );
    expect(after && before && spent(after) - spent(before)).toBe(9200);
    expect(after?.context).toBe(150);
  });

  it('has a question until it is answered', () => {
    const asked = atWork(from).record('approval_asked', {}).say('permission_asked', ASKED);
    const work = foldEvents(EMPTY_WORK, asked.events);
    expect(work.standing).toBe('waiting');
    expect(work.questions.map(({ target }) => target)).toEqual([ASKED.target]);
    const answered = asked
      .record('approval_given', { allowed: true, why: '', by: 'person', door: 'page' })
      .say('permission_answered', { id: ASKED.id, allowed: true, why: 'from the page' });
    const after = foldEvents(EMPTY_WORK, answered.events);
    expect([after.standing, after.questions]).toEqual(['working', []]);
    expect(after.entries.map(sayEntry).at(-1)).toBe('Allowed once through the server');
    const over = atWork(from).record('approval_asked', {}).say('permission_asked', ASKED);
    over.record('run_finished', { ending: 'unverified', detail: '' });
    expect(foldEvents(EMPTY_WORK, over.events).questions).toEqual([]);
  });

  it.each([
    ['lease_taken', { token: 3, host: 'here', version: '0.1.0' }, 'Go on with a higher limit.'],
    ['run_resumed', {}, ''],
    ['run_finished', { ending: 'achieved', detail: 'It is proved.' }, ''],
  ])(
    'keeps no wait, no trial, and no hint of a pause that is over, after %s',
    (type, fields, advice) => {
      const stopped = atWork(from)
        .record('wait_started', { why: 'the model is busy' })
        .say('trial_started', { n: 1, of: 2, words: 'without the change' })
        .record('run_paused', {
          why: 'limit_cost',
          detail: '$1',
          hint: 'Go on with a higher limit.',
        })
        .record(type, fields);
      const { hint, wait, trial } = foldEvents(EMPTY_WORK, stopped.events);
      expect({ hint, wait, trial }).toEqual({ hint: advice, wait: '', trial: '' });
    },
  );

  it('shows what a model writes as it comes, and what a turn says once it is over', () => {
    const live = atWork(from)
      .say('turn_started', { turn: 6, purpose: 'action', target: null })
      .say('text_delta', { text: 'I move ' })
      .say('text_delta', { text: 'the discount.' });
    const work = foldEvents(EMPTY_WORK, live.events);
    expect(work.turnNow?.text).toBe('I move the discount.');
    const over = foldEvents(work, live.turn('action', 'I move the discount.').events.slice(-2));
    expect(over.turnNow).toBeNull();
    expect(over.entries.at(-1)).toMatchObject({ kind: 'turn', text: 'I move the discount.' });
  });

  it('says how much of a prompt is read until the first word comes', () => {
    const reading = atWork(from)
      .say('turn_started', { turn: 6, purpose: 'action', target: null })
      .say('prompt_read', { percent: 45 });
    const { turnNow } = foldEvents(EMPTY_WORK, reading.events);
    expect(turnNow && sayRead(turnNow)).toBe(', 45 % of the prompt read');
    const after = foldEvents(EMPTY_WORK, reading.say('text_delta', { text: 'I' }).events).turnNow;
    expect(after && sayRead(after)).toBe('');
  });

  it('says what was done in whole lines', () => {
    const work = foldEvents(EMPTY_WORK, finished(from).events);
    expect(work.entries.map(sayEntry)).toMatchInlineSnapshot(`
      [
        "The run began",
        "Proof before the work: npm test, failed (2 tests)",
        "Turn 1: I read the rules first.",
        "Turn 2: deciding",
        "search total >",
        "read src/rules/discount.ts",
        "Turn 3: I write the module.",
        "write src/price/rules.ts",
        "Turn 4: deciding",
        "run npm test -- price (was interrupted)",
        "The process that worked on it stopped here unexpectedly",
        "Another process continues where it was",
        "Turn 5: I run them again.",
        "edit src/price/discount.ts",
        "Turn 6: deciding",
        "edit src/cart.ts",
        "Turn 7: deciding",
        "write test/price.test.ts",
        "Proof: npm test, passed",
        "proof passed: npm test (51 passed); 2 of them failed before the work",
      ]
    `);
    expect(work.sums['2.2']).toMatchObject({ added: 12, removed: 9, turns: 2, actions: 2 });
    expect(work.verdict).toContain('51 passed');
  });

  it('names the tool of a server, and how a request failed, as a terminal does', () => {
    const { usage } = EMPTY_WORK;
    const turn = {
      turn: 9,
      purpose: 'action',
      status: 'rate_limited',
      detail: '',
      text: '',
      usage,
    };
    const called = atWork(from).action('9', 'mcp__eyes__look', { at: 'a.png' }, [], '');
    const { entries } = foldEvents(EMPTY_WORK, called.say('turn_finished', turn).events);
    expect(entries.slice(-2).map(sayEntry)).toEqual([
      ...['eyes.look a.png', 'Turn 9: the server takes no more requests for now'],
    ]);
  });

  it('keeps no verdict and no need of an end before a resume', () => {
    const ended = atWork(from)
      .record('verdict_given', { isProved: true, words: 'proved', beyond: { files: ['a'] } })
      .record('run_finished', { ending: 'unverified', detail: '', needs: 'a key' });
    expect(foldEvents(EMPTY_WORK, ended.events)).toMatchObject({
      verdict: 'proved',
      needs: 'a key',
    });
    const { verdict, isProved, beyond, needs } = foldEvents(
      EMPTY_WORK,
      ended.record('run_resumed', {}).events,
    );
    expect([verdict, isProved, beyond, needs]).toEqual(['', false, null, '']);
  });

  it('says whether changes were withheld or applied, and nothing of a swap of no file', () => {
    const swaps = atWork(from).record('swap_started', { to: 'before', files: [] });
    swaps.record('swap_started', { to: 'before', files: [{ path: 'a' }] });
    swaps.record('swap_started', { to: 'run', files: [{ path: 'a' }], more: { count: 2 } });
    const marks = foldEvents(EMPTY_WORK, swaps.events).entries.flatMap((entry) =>
      entry.kind === 'mark' && entry.mark === 'put_back' ? entry.text : [],
    );
    expect(marks).toEqual(['Changes withheld: 1 file', 'Withheld changes applied: 3 files']);
  });

  it('knows what an undo put back and what it left alone', () => {
    const undone = finished(from)
      .record('undo_started', { files: ['a.js', 'b.js'] })
      .record('file_restored', { path: 'a.js', hash: null, skipped: '' })
      .record('file_restored', { path: 'b.js', hash: null, skipped: 'changed since' });
    expect(sayUndone(foldEvents(EMPTY_WORK, undone.events))).toBe(
      'a.js is as it was before the run. Left as it was found: b.js.',
    );
  });

  it.each(['__proto__', 'constructor', 'of_later'])('skips what it does not know: %s', (type) => {
    const unknown = [
      { v: 1, type },
      { v: 1, type: 'record', record: { type, seq: 1, ts: 1 } },
    ];
    const { seq, entries } = foldEvents(EMPTY_WORK, unknown as unknown as StreamEvent[]);
    expect([seq, entries]).toEqual([1, []]);
  });
});
