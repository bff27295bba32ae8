/** The right to work says yes to nothing for the person. */
import { expect, test } from 'vitest';
import { isAnswer } from '../../src/cli/serve/talk-commands.ts';
import { handlersFor } from '../../src/server/handlers.ts';

const added: object[] = [];
const holdings = {
  place: {
    ...{ clock: { monotonic: () => 0, now: () => 0 }, roots: ['/w'], random: () => 'r' },
    fs: { platform: 'linux' },
    engine: {
      listRuns: () => [],
      beliefIn: () => ({ kind: 'own', state: { limits: {}, paused: null } }),
      readRun: () => null,
    },
  },
  catalogue: {
    ...{ folder: () => '/w', note: () => {} },
    run: () => ({ id: 'r', path: '/w', number: 1, standing: 'paused' }),
  },
  queue: {
    ...{ has: () => false, isOpening: () => false, placeOf: () => 0, waiting: [] },
    add: (one: object) => added.push(one),
  },
} as never;
const { startRun, resumeRun } = handlersFor(holdings, {} as never);
const asked = async (handler: (call: never) => unknown, body: object, rights: string[]) => {
  added.length = 0;
  const call = { body, rights, key: null, part: () => 'r' } as never;
  const code = await Promise.resolve()
    .then(() => handler(call))
    .then(
      () => 'done',
      (error) => error.code,
    );
  return [code, added.length];
};

test.each(['/approve run_cmd(make)', ' /commit Done'])('%s says a yes', (command) => {
  expect(isAnswer(command)).toBe(true);
});

test.each(['/undo', '/compact', 'commit it'])('%s says none', (command) => {
  expect(isAnswer(command)).toBe(false);
});

const GOAL = { workspace: '/w', goal: 'x' };
test.each([
  ['a start', startRun, { ...GOAL, allow: ['run_cmd(*)'] }],
  ['a start', startRun, { ...GOAL, proof: 'make' }],
  ['a start', startRun, { ...GOAL, sandbox: 'off' }],
  ['a resume', resumeRun, { allow: ['run_cmd(*)'] }],
  ['a resume', resumeRun, { agree: true }],
])('%s that brings a yes needs the right to answer: %#', async (_, handler, body) => {
  expect(await asked(handler, body, ['observe', 'work'])).toEqual(['E_RIGHT', 0]);
  expect(await asked(handler, body, ['observe', 'work', 'answer'])).toEqual(['done', 1]);
});

test.each([
  ['a start', startRun, { ...GOAL, allow: [], sandbox: 'require', agreePlan: true }],
  ['a resume', resumeRun, { agree: false, maxCost: 1 }],
])('%s that brings none does not', async (_, handler, body) => {
  expect(await asked(handler, body, ['observe', 'work'])).toEqual(['done', 1]);
});
