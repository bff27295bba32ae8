import { expect, test } from 'vitest';
import { labelOf } from '../../src/page/fold/words.ts';
import { NO_USAGE } from '../../src/schema/model/turn.ts';
import type { RunSummary } from '../../src/server/api/run-schemas.ts';
import { shownRun } from '../../src/server/mcp/shown-run.ts';
import { nextSteps } from '../../src/server/runs/next-steps.ts';
import { runState } from '../cli/support.ts';

const stepsOf = (
  state: Partial<ReturnType<typeof runState>>,
  standing: RunSummary['standing'],
  mayGoOn = true,
) =>
  nextSteps(runState(state), {
    run: { path: '/shop', number: 12, standing },
    mayGoOn,
    typed: (words) => ['agent', ...words].join(' '),
  });
const FILE = { written: true, problems: [] } as never;

test('a killed run is resumed by its number, within the limits that it had', () => {
  expect(stepsOf({ limits: { maxCost: 0.5 } }, 'killed')).toEqual([
    {
      does: 'resume',
      words: 'It goes on where it was, with at most $0.5 in all.',
      command: 'agent resume 12 --max-cost 0.5 --workspace /shop',
      body: { maxCost: 0.5 },
    },
  ]);
});

test('a limit that was reached is raised as the pause says, and the others stay', () => {
  const paused = {
    ...{ why: 'limit_tokens', detail: '', option: 'maxTokens', optionValue: '2000' },
  } as never;
  const [step] = stepsOf({ paused, limits: { maxTokens: 1000, maxRounds: 7 } }, 'paused');
  expect(step?.body).toEqual({ maxRounds: 7, maxTokens: 2000 });
  expect(step?.words).toContain('at most 7 rounds from now and 2000 tokens in all');
});

test('what nothing proves is brought in or undone, and a failed goal starts over by its command', () => {
  const swap = { to: 'before', isFinished: true, count: 1, done: ['a'], left: [] } as never;
  const goal = 'Make it pass';
  expect(stepsOf({ goal, swap, files: { a: FILE } }, 'unverified').map(({ does }) => does)).toEqual(
    ['apply'],
  );
  const failed = stepsOf({ goal, files: { a: FILE } }, 'failed');
  expect(failed.map(({ does, body }) => [does, body])).toEqual([
    ['undo', {}],
    ['again', { workspace: '/shop', goal }],
  ]);
  expect(failed[1]?.command).toBe('agent --again Make it pass --workspace /shop');
});

test('a failed run that had to be confined starts over confined', () => {
  const permissions = { open: [], answers: [], sandbox: 'require' } as never;
  const steps = stepsOf({ goal: 'Make it pass', permissions }, 'failed');
  expect(steps.at(-1)).toMatchObject({
    body: { sandbox: 'require' },
    command: 'agent --again Make it pass --sandbox require --workspace /shop',
  });
});

test('a failed run starts over with all that it was begun with, but what it was allowed', () => {
  const rules = [
    { id: 'option', allowed: true, why: '', rule: 'npm' },
    { id: 'option', allowed: false, why: '', rule: 'edit(src/**)' },
    { id: 'option', allowed: false, why: '', rule: 'edit(src/**)' },
  ];
  const state = {
    ...{ goal: 'Make it pass', givenProof: 'npm test', agreement: 'given', withTests: true },
    settings: { provider: 'ollama', model: 'coder:7b' },
    permissions: { open: [], answers: [], rules, isRegained: false, taken: null },
  } as never;
  const wishes = { proof: 'npm test', withTests: true, agreePlan: true, deny: ['edit(src/**)'] };
  const step = stepsOf(state, 'failed').at(-1);
  expect(step?.body).toEqual({
    ...{ workspace: '/shop', goal: 'Make it pass', model: 'ollama/coder:7b' },
    ...wishes,
  });
  for (const word of ['--plan', '--with-tests', '--deny edit(src/**)', '--proof npm test'])
    expect(step?.command).toContain(word);
  const models = { plan: 'openai/big', work: 'ollama/coder:7b' };
  const two = stepsOf({ ...(state as object), models }, 'failed').at(-1);
  expect(two?.body).toMatchObject({ model: 'ollama/coder:7b', planModel: 'openai/big' });
  // No request can name the address of its server.
  const settings = { provider: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:1' } as never;
  const other = stepsOf({ ...(state as object), settings }, 'failed').at(-1);
  expect(other?.body).toEqual({ workspace: '/shop', goal: 'Make it pass', ...wishes });
});

test('a question that failed is asked again by its command alone', () => {
  const step = stepsOf({ goal: 'Why?', wants: 'answer' }, 'failed').at(-1);
  expect(step).toMatchObject({ command: 'agent ask --again Why? --workspace /shop', body: null });
});

test('an undo that was cut off is finished, and is no work that anybody waits for', () => {
  const steps = stepsOf({ files: { a: FILE } }, 'undoing');
  expect(steps).toMatchObject([{ does: 'undo', command: 'agent undo 12 --workspace /shop' }]);
  const detail = {
    standing: 'undoing',
    plan: null,
    paused: null,
    questions: [],
    usage: { ...NO_USAGE, output: 2, thinking: 5 },
  } as never;
  expect(shownRun(detail, false)).toMatchObject({ isOver: true, tokens: { in: 0, out: 7 } });
  expect(shownRun(detail, false).means).toContain('cut off');
  expect(labelOf('undoing')).toMatchObject({ word: 'Its undo was cut off', tone: 'warn' });
});

test('a run that is proved in part is not told as one whose goal is reached', () => {
  const detail = { plan: null, paused: null, questions: [], usage: NO_USAGE };
  const means = (more: object) => shownRun({ ...detail, ...more } as never, false).means;
  expect(means({ standing: 'achieved' })).toContain('The goal is reached');
  expect(means({ standing: 'achieved', isPartly: true })).toContain('a part of the goal');
  expect(means({ standing: 'undone' })).toContain('undone');
  expect(means({ standing: 'damaged' })).toContain('damaged');
});

test('nothing is offered of a run at work or proved, and only commands where a request may not act', () => {
  for (const standing of ['running', 'achieved', 'undone'] as const)
    expect(stepsOf({ files: { a: FILE } }, standing)).toEqual([]);
  expect(stepsOf({}, 'paused', false)).toMatchObject([{ does: 'resume', body: null }]);
});

test('a run without what a rule refused starts over with the rule that allows it', () => {
  const subtask = {
    id: '1.1',
    description: 'push',
    status: 'unverified',
    done_when: [],
    checks: [],
  };
  const plan = { fallback: false, tasks: [{ description: 'publish', subtasks: [subtask] }] };
  const call = { subtask: '1.1', tool: 'run_cmd', target: 'npm publish' };
  const ended = (more: object) =>
    stepsOf(
      {
        goal: 'Publish',
        plan,
        ended: { ending: 'unverified' },
        refused: [{ ...call, ...more }],
      } as never,
      'unverified',
    ).at(-1);
  expect(ended({ allowedBy: ['run_cmd(npm publish)'] })).toMatchObject({
    does: 'again',
    words: 'The same goal starts over as a new run, allowed to do what was refused: npm publish.',
    command: 'agent --again Publish --allow npm publish --workspace /shop',
    body: { allow: ['npm publish'] },
  });
  expect(ended({})?.does).not.toBe('again');
});
