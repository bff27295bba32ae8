/** An answer to a run that nobody works on. */
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
