/** What becomes of a run that is being opened when its caller goes, or a pause comes, and of one that cannot be closed. */
import { expect, it } from 'vitest';
import type { OwnedRun } from '../../src/agent.ts';
import { OpenRuns } from '../../src/fleet/slices.ts';
import { TardigradeError } from '../../src/lib/errors.ts';
import { REQUEST } from './in-process.ts';

const request = { ...REQUEST, run: 'r', tenant: 't', workspace: '/runs', goal: 'it' };

/** Runs whose opening ends when the test says so; each of its steps says whether it was stopped. */
function opening() {
  const steps: ('stopped' | 'real')[] = [];
  const graces: (() => void)[] = [];
  let now = 0;
  const given: { signal?: AbortSignal } = {};
  let opened = (): void => {};
  const slices = new OpenRuns({
    ...{ mostOpen: 2, leastMs: 0, answer: async () => null },
    clock: {
      // After each step its slice has lasted long enough.
      monotonic: () => (now += 10_000),
      sleep: (_ms, stop) =>
        new Promise((resolve, reject) => {
          graces.push(resolve);
          stop?.addEventListener('abort', () => reject(stop.reason));
        }),
    },
    open: (_, signal) =>
      new Promise((resolve) => {
        given.signal = signal;
        const active = {
          ...{ result: null, waitMs: () => 0, close: async () => {} },
          state: () => ({ seq: 1, counters: { turns: 0, actions: 0 } }),
          takeStep: async () => {
            steps.push(signal.aborted ? 'stopped' : 'real');
            return null;
          },
        };
        opened = () => resolve(active as unknown as OwnedRun);
      }),
  });
  return { slices, steps, graces, given, opened: () => opened() };
}

const turn = () => new Promise(setImmediate);

it('a caller who goes while a run is opened gets no step, and its opening ends after the grace', async () => {
  const { slices, steps, graces, given, opened } = opening();
  const caller = new AbortController();
  const slice = slices.advance(request, caller.signal);
  await turn();
  caller.abort();
  expect(graces).toHaveLength(1);
  graces[0]?.();
  await turn();
  expect(given.signal?.aborted).toBe(true);
  opened();
  expect(await slice).toEqual({ is: 'going_on', seq: 1 });
  expect(steps).toEqual([]);
});

it('a pause that comes while a run is opened stops it, and each step after it is a pause', async () => {
  const { slices, steps, given, opened } = opening();
  const slice = slices.advance(request, new AbortController().signal);
  await turn();
  const paused = slices.pause('r');
  expect(given.signal?.aborted).toBe(true);
  opened();
  await Promise.all([slice, paused]);
  expect(new Set(steps)).toEqual(new Set(['stopped']));
});

it('a pause that waits behind a slice pauses the run that the slice opens', async () => {
  const { slices, steps, opened } = opening();
  const released = slices.release('r');
  const slice = slices.advance(request, new AbortController().signal);
  const paused = slices.pause('r');
  await released;
  await turn();
  opened();
  await Promise.all([slice, paused]);
  expect(steps.at(-1)).toBe('stopped');
});

it('a run whose outcome cannot be stored has not ended, and says why', async () => {
  const result = { ending: 'achieved', state: { seq: 1 } };
  const close = async () => {
    throw new TardigradeError('E_USAGE', 'git cannot store it.', 'Change it.');
  };
  const slices = new OpenRuns({
    ...{ mostOpen: 2, leastMs: 0, answer: async () => null },
    clock: { monotonic: () => 0, sleep: async () => {} },
    open: async () => ({ result, close }) as unknown as OwnedRun,
  });
  expect(await slices.advance(request, new AbortController().signal)).toMatchObject({
    ...{ is: 'pausing', why: 'E_USAGE', detail: 'git cannot store it. Change it.' },
  });
});
