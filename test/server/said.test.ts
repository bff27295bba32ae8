/** What a run has to say at its end, to a client of the server: no less than at a terminal. */
import { expect, test } from 'vitest';
import { runGoal } from '../../src/agent.ts';
import { historyWords } from '../../src/cli/render/records/history-words.ts';
import { changesOf } from '../../src/host/journals/undo.ts';
import { resultBody } from '../../src/run/stream/result-body.ts';
import type { RunState } from '../../src/schema/state.ts';
import { shownRun } from '../../src/server/mcp/shown-run.ts';
import type { ServerPlace } from '../../src/server/place.ts';
import { runDetailOf } from '../../src/server/runs/detail.ts';
import type { RunQueue } from '../../src/server/runs/queue.ts';
import { resultLater } from '../../src/server/runs/said.ts';
import { PLAN, runState } from '../cli/support.ts';
import { diligentModel } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { LARGE, SCRIPTED_MODEL, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';

/** Of a run that has ended. */
function detailWith(state: RunState, fs: object = { platform: 'linux' }) {
  const place = {
    ...{ roots: [WORKSPACE], fs, typed: (words: string[]) => words.join(' ') },
    engine: {
      ...{ beliefIn: () => ({ kind: 'own', state }), readRun: () => null },
      lockOwner: () => null,
    },
  } as unknown as ServerPlace;
  const queue = { placeOf: () => null, early: { failedAt: () => null, cutOffBy: () => null } };
  const summary = { id: state.run, path: WORKSPACE, number: 1, standing: 'answered', lastAt: 1 };
  return runDetailOf(place, queue as unknown as RunQueue, summary as never, new Map());
}

const STANDS = { places: [], nowhere: [] };

test('the whole of a long answer', async () => {
  const answer = `${'The price is decided in one place. '.repeat(400)}The end.`;
  const world = testWorld();
  const machine = world.machine();
  const { state } = await runGoal({
    ...{ goal: 'Where is the price decided?', workspace: WORKSPACE, machine },
    ...{ provider: scriptedProvider(() => ({ text: answer }), LARGE), model: SCRIPTED_MODEL },
  });
  expect(typeof state.answer).toBe('object');
  expect(detailWith(state, machine.fs).answer).toBe(answer);
});

test('the text that is the only result of a run, as its answer', () => {
  const verdict = { isProved: true, words: 'no file here was changed', named: [], answer: STANDS };
  const state = runState({ answer: null, report: 'There are three.', verdict: verdict as never });
  expect(detailWith(state)).toMatchObject({ answer: 'There are three.', report: null });
  const proved = runState({ answer: null, report: 'There are three.' });
  expect(detailWith(proved)).toMatchObject({ answer: null, report: 'There are three.' });
});

test('what was refused and so not done, also to another agent', () => {
  const [task] = PLAN.tasks;
  const [subtask] = task?.subtasks ?? [];
  const tasks = [{ ...task, subtasks: [{ ...subtask, status: 'unverified' }] }];
  const state = runState({
    plan: { ...PLAN, tasks } as never,
    refused: [{ subtask: subtask?.id ?? '', tool: 'run_cmd', target: 'git push', turn: 1 }],
    ended: { ending: 'answered', detail: 'no file here was changed' } as never,
  });
  const detail = detailWith(state);
  expect(detail.notDone).toMatch(/git push was refused/);
  expect(shownRun(detail, false)).toMatchObject({ notDone: detail.notDone });
});

test('an answer is no proof, also in the history', () => {
  const given = { type: 'verdict_given', isProved: true, words: 'no file was changed', named: [] };
  const of = (more: object) => historyWords({ ...given, seq: 1, ts: 1, ...more } as never);
  expect(of({ answer: STANDS })).toBe('only an answer: no file was changed');
  expect(of({})).toBe('proved: no file was changed');
});

test('the result of a run that has ended, to a client that comes later, with what is withheld', async () => {
  const world = testWorld();
  const machine = world.machine();
  world.write('app.mjs', 'console.log("old");\n');
  const script = diligentModel({
    subtasks: [{ action: 'write_file', file: 'app.mjs', purpose: 'prints new' }],
    files: { 'app.mjs': ['console.log("new");\n'] },
  });
  const goal = 'Make app.mjs print new';
  const { result: ended } = await runIn(world, scriptedProvider(script), {
    goal,
    toolMode: 'json',
  });
  const { state } = ended;
  const resultOf = (known: RunState) => {
    const engine = {
      beliefIn: () => ({ kind: 'own', state: known }),
      changes: async () => changesOf(machine, WORKSPACE, { run: state.run }),
    };
    const place = { fs: machine.fs, engine } as unknown as ServerPlace;
    return resultLater(place, { workspace: WORKSPACE, run: state.run }, () => isPaused);
  };
  let isPaused = true;
  const facts = { elapsedMs: state.workedMs, workspace: WORKSPACE, resume: null };
  const told = await resultOf(state);
  expect(told).toEqual({ v: 1, run: state.run, ...resultBody(ended, facts) });
  expect(told).toMatchObject({ withheld: { files: [{ path: 'app.mjs', change: 'changed' }] } });
  expect(await resultOf({ ...state, ended: null })).toBeNull();
  const why = { why: 'limit_rounds', detail: 'the rounds are spent', hint: 'Give more.' } as const;
  const paused = { ...state, ended: null, paused: why };
  expect(await resultOf(paused)).toMatchObject({ ending: 'paused', exitCode: 4, ...why });
  // A resume that was asked for has not opened it yet.
  isPaused = false;
  expect(await resultOf(paused)).toBeNull();
  const undone = { ...state, ended: { ending: 'undone', detail: '' } } as RunState;
  expect(await resultOf(undone)).toMatchObject({ ending: 'already_finished', detail: 'undone' });
});
