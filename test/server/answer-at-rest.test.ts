/** An answer to a run that nobody works on, or whose process ends meanwhile. */
import { expect, test } from 'vitest';
import { approve, type RunParts } from '../../src/server/runs/act.ts';

const RUN = { id: 'r3', path: '/work/app', number: 3, standing: 'paused' } as never;
const open = [{ id: 'q1', tool: 'run_cmd', isNoted: true }];

/** @param current the current run of the folder */
async function answered(current: string, ended: object | null = null) {
  const given: string[] = [];
  const engine = {
    beliefIn: () => ({ kind: 'own', state: { permissions: { open, answers: [] }, ended } }),
    readRun: () => ({ run: current }),
    answer: ({ id }: { readonly id: string }) => given.push(id),
  };
  const feed = { connected: async () => null, questions: new Map() };
  const parts = {
    place: { engine, roots: ['/work/app'], fs: { platform: 'linux' } },
    feedOf: () => feed,
  } as unknown as RunParts;
  const { how, code } = await approve(parts, RUN, 'q1', { answer: 'once' }).catch((error) => error);
  return [how ?? code, given];
}

test('is left for its resume, and refused where that run is over or not the current one', async () => {
  expect(await answered('r3')).toEqual(['left', ['q1']]);
  expect(await answered('r4')).toEqual(['E_BUSY', []]);
  expect(await answered('r3', { ending: 'unverified' })).toEqual(['E_UNKNOWN', []]);
});

test('that another answer overtook, before the process ended, names the one that counted', async () => {
  const counted = { id: 'q1', allowed: true, by: 'person', door: 'attach' };
  const answers: object[] = [];
  const engine = { beliefIn: () => ({ kind: 'own', state: { permissions: { open, answers } } }) };
  const send = async () => {
    answers.push(counted);
    return { how: 'refused', why: 'The connection was lost before the result arrived.' };
  };
  const feed = { connected: async () => ({ send }), questions: new Map([['q1', {}]]) };
  const parts = {
    place: { engine, roots: ['/work/app'], fs: { platform: 'linux' } },
    feedOf: () => feed,
  } as unknown as RunParts;
  await expect(approve(parts, RUN, 'q1', { answer: 'once' })).rejects.toMatchObject({
    code: 'E_ANSWERED',
    message: 'It was answered before: yes, from another terminal.',
  });
});
