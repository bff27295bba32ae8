/** What those who follow everything are told, poll by poll. */
import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Everything } from '../../src/server/streams/everything.ts';

const run = (standing: string, questions = 0) => ({ id: 'r', standing, questions });
const talk = (state: string) => ({ id: 't', state, workspacePath: '/w' });

test('each change of a run, a conversation and a question is told once, and all there is to who joins', async () => {
  let [runs, talks] = [[run('running', 1)], [talk('idle')]];
  let wake = (): void => {};
  const parts = {
    catalogue: { gathered: async () => runs },
    questionsOf: () => [{ id: 'q1' }],
    talks: { list: () => talks, questionsOf: () => [{ id: 'q2' }] },
  };
  const sleep = (ms: number) =>
    new Promise<void>((done) => {
      if (ms === 0) done();
      else wake = done;
    });
  const everything = new Everything(parts as never, {
    ...{ clock: { sleep, monotonic: () => 0 } as never, keepError: () => '' },
  });
  const told: unknown[] = [];
  everything.join((event, data) => told.push([event, data]));
  const next = async () => {
    wake();
    await settled();
    return told.splice(0);
  };
  await settled();
  const asked = ['question', { run: 'r', question: { id: 'q1' } }];
  expect(told.splice(0)).toEqual([['run', runs[0]], asked, ['session', talks[0]]]);
  talks = [talk('waiting')];
  const asks = ['question', { run: 't', question: { id: 'q2' } }];
  expect(await next()).toEqual([['session', talks[0]], asks]);
  runs = [run('achieved')];
  expect(await next()).toEqual([
    ['run', runs[0]],
    ['settled', { run: 'r', id: 'q1' }],
  ]);
  const late: unknown[] = [];
  everything.join((event, data) => late.push([event, data]));
  expect(late).toEqual([['run', runs[0]], ['session', talks[0]], asks]);
  expect(await next()).toEqual([]);
  [runs, talks] = [[], [talk('idle')]];
  const gone = ['gone', { id: 'r' }];
  expect(await next()).toEqual([['session', talks[0]], gone, ['settled', { run: 't', id: 'q2' }]]);
  expect(late).toContainEqual(gone);
});
