/** A subtask whose prompt does not fit however it is shortened, through the whole engine. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import type { ToolMode } from '../../src/schema/records.ts';
import { BOTH_MODES, LONG_GOAL, logName, logReader, writeNotes } from '../support/long-work.ts';
import { planJson, wantedBy } from '../support/models.ts';
import { type RunIn, runIn, type Told } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { someKills } from '../support/some-kills.ts';
import { testWorld } from '../support/test-machine.ts';

const WINDOWS = [4096, 8192, 16_384, 131_072];
const NOTES = 6;
const HEAVY = 3;

/** The note of the subtask under way, as the newest words name it. */
function activeNote({ messages }: ModelRequest): number {
  const said = messages.map(({ content }) => content).join('\n');
  const form = /(?:ACTIVE SUBTASK [^\n]*?|Subtask \d+ of \d+: )read_file note-(\d+)\.log/g;
  return Number([...said.matchAll(form)].at(-1)?.[1] ?? 0);
}

const isRead = ({ messages }: ModelRequest, note: number): boolean =>
  messages.some(({ content }) => content.includes(`line 0 of note ${note} `));

const saysWhy = ({ messages }: ModelRequest): boolean =>
  messages.some(({ content }) => content.includes('does not fit into'));

/** No request that holds the heavy note is taken. Planning again, the model leaves it out or not. */
const heavy =
  (leavesOut: boolean): Script =>
  (request, n) => {
    if (wantedBy(request) !== 'plan')
      return activeNote(request) === HEAVY && isRead(request, HEAVY)
        ? { fails: { kind: 'context_overflow' } }
        : logReader(NOTES)(request, n);
    const first = saysWhy(request) ? HEAVY + (leavesOut ? 1 : 0) : 1;
    const subtasks = Array.from({ length: NOTES + 1 - first }, (_, index) => ({
      action: 'read_file',
      file: logName(first + index),
      purpose: 'learn it',
    }));
    return planJson({ subtasks });
  };

const options = (toolMode: ToolMode, contextWindow: number): RunIn => ({
  goal: LONG_GOAL,
  maxRounds: 100,
  toolMode,
  contextWindow,
});

function world() {
  const made = testWorld();
  writeNotes(made, NOTES, 9000);
  return made;
}

const subtasksOf = ({ result }: Told) => result.state.plan?.tasks.flatMap((one) => one.subtasks);
const countOf = ({ records }: Told, type: string) =>
  records.filter((one) => one.type === type).length;

/** The smallest window in one mode, the largest in the other; `npm run crash` takes every pair. */
const PLACES = someKills(
  WINDOWS.flatMap((window) => BOTH_MODES.map((mode) => [window, mode] as const)),
  7,
);

describe('a subtask that does not fit', () => {
  it.each(PLACES)(
    'into %i tokens ends as failed, and another plan reaches the goal in %s mode',
    async (window, mode) => {
      const provider = scriptedProvider(heavy(true), { contextWindow: window });
      const told = await runIn(world(), provider, options(mode, window));
      expect(told.result.ending).toBe('answered');
      const why = `subtask 1.${HEAVY} does not fit into ${window} tokens`;
      const at = told.records.findIndex(({ type }) => type === 'replan_started');
      expect(told.records[at]).toMatchObject({ n: 1, why: expect.stringContaining(why) });
      expect(subtasksOf(told)?.map(({ status }) => status)).toEqual([
        'completed',
        'completed',
        'failed',
        'completed',
        'completed',
        'completed',
      ]);
      expect(subtasksOf(told)?.[HEAVY - 1]?.summary).toContain(why);
      // Its exchanges go as a whole before the model is asked for another plan.
      expect(told.records.slice(at + 1, at + 3).map(({ type }) => type)).toEqual([
        'compaction_started',
        'compacted',
      ]);
      const replan = provider.requests.findIndex(
        (request) => wantedBy(request) === 'plan' && saysWhy(request),
      );
      for (const request of provider.requests.slice(replan))
        expect(isRead(request, HEAVY)).toBe(false);
      for (const { messages } of provider.requests)
        expect(JSON.stringify(messages)).toContain(LONG_GOAL);
      const acting = provider.requests.slice(replan + 1);
      for (const { messages } of acting) expect(JSON.stringify(messages)).toContain(why);
    },
  );

  it.each(PLACES)(
    'into %i tokens pauses the run once no other plan can help in %s mode',
    async (window, mode) => {
      const provider = scriptedProvider(heavy(false), { contextWindow: window });
      const told = await runIn(world(), provider, options(mode, window));
      expect(told.result).toMatchObject({ ending: 'paused', why: 'context_overflow' });
      expect(told.result).toMatchObject({
        detail: expect.stringContaining(`${window} tokens`),
        option: 'contextWindow',
        optionValue: String(window * 2),
      });
      expect(countOf(told, 'replan_started')).toBeGreaterThanOrEqual(1);
      expect(countOf(told, 'replan_started')).toBeLessThanOrEqual(2);
      expect(subtasksOf(told)?.filter(({ status }) => status === 'in_progress')).toHaveLength(1);
    },
  );
});

describe('a run that paused for want of a window', () => {
  it.each(BOTH_MODES)('goes on where it stood with a larger one in %s mode', async (mode) => {
    const made = world();
    const script: Script = (request, n) =>
      request.contextWindow > 8192 ? logReader(NOTES)(request, n) : heavy(false)(request, n);
    const provider = scriptedProvider(script, { contextWindow: 32_768 });
    const first = await runIn(made, provider, options(mode, 8192));
    expect(first.result).toMatchObject({ ending: 'paused', why: 'context_overflow' });
    const second = await runIn(made, provider, options(mode, 16_384));
    expect(second.result.ending).toBe('answered');
    expect(countOf(second, 'replan_started')).toBe(0);
  });
});

describe('a planning question that does not fit', () => {
  it.each(BOTH_MODES)('pauses the run at once in %s mode', async (mode) => {
    const script: Script = (request, n) =>
      wantedBy(request) === 'plan' && saysWhy(request)
        ? { fails: { kind: 'context_overflow' } }
        : heavy(true)(request, n);
    const provider = scriptedProvider(script);
    const told = await runIn(world(), provider, options(mode, 8192));
    expect(told.result).toMatchObject({ ending: 'paused', why: 'context_overflow' });
    expect(countOf(told, 'replan_started')).toBe(1);
    const asked = provider.requests.filter((one) => wantedBy(one) === 'plan' && saysWhy(one));
    expect(asked.length).toBeLessThanOrEqual(2);
  });
});

describe.each(someKills(BOTH_MODES, 2, 1))(
  'a subtask that does not fit and a crash in %s mode',
  (mode) => {
    it('send the same requests whichever record of a sample the run is killed after', async () => {
      const run = async (killAt: number) => {
        const made = world();
        const provider = scriptedProvider(heavy(true), { contextWindow: 8192 });
        const machine = made.machine();
        const onRecord = (_: unknown, seen: number): void => {
          if (seen !== killAt) return;
          machine.kill();
          throw new Error('killed');
        };
        const asked = options(mode, 8192);
        let told = await runIn(made, provider, { ...asked, machine, onRecord }).catch(() => null);
        told ??= await runIn(made, provider, asked);
        return { requests: provider.requests.map((one) => JSON.stringify(one)), told };
      };
      const calm = await run(0);
      expect(calm.told.result.ending).toBe('answered');
      const types = calm.told.records.map(({ type }) => type);
      const first = types.indexOf('compaction_started') - 2;
      const last = types.indexOf('replanned') + 3;
      expect(last).toBeGreaterThan(first + 8);
      const places = Array.from({ length: last - first + 1 }, (_, at) => first + at);
      for (const index of someKills(places, 24, mode === 'json' ? 1 : 0)) {
        const { requests, told } = await run(index);
        expect(requests, `killed after record ${index}, ${types[index - 1]}`).toEqual(
          calm.requests,
        );
        expect(told.result.ending).toBe('answered');
      }
    });
  },
);
