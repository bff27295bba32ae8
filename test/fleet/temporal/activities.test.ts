/** What a worker does for one step of the workflow on Temporal. */
import { expect, it } from 'vitest';
import type { FleetRequest, Slice } from '../../../src/fleet/contract.ts';
import { activitiesOf } from '../../../src/fleet/temporal/activities.ts';
import { temporalPlace } from '../../../src/fleet/temporal/address.ts';
import type { ActivityContext } from '../../../src/fleet/temporal/sdk.ts';

const REQUEST: FleetRequest = {
  ...{ run: 'one', workspace: '/ws', goal: 'a goal', words: [], tenant: 'one', at: 0, mac: '' },
};
const GOING_ON: Slice = { is: 'going_on', seq: 1 };
const ENDED: Slice = { is: 'ended', seq: 2, ending: 'achieved', exitCode: 0 };

/** @param slices what the run does, slice by slice; the last one again and again */
function lab(slices: readonly Slice[]) {
  const did: string[] = [];
  let cancel = (_: Error): void => {};
  const cancelled = new Promise<never>((_, reject) => {
    cancel = reject;
  });
  const context: { -readonly [Name in keyof ActivityContext]: ActivityContext[Name] } = {
    cancelled,
    heartbeat: () => void did.push('beat'),
  };
  let isStopping = false;
  let now = 0;
  const activities = activitiesOf(
    { Context: { current: () => context } },
    {
      slices: {
        advance: async (_, signal) => {
          await new Promise(setImmediate);
          if (signal.aborted) throw new Error('nobody waits');
          did.push('slice');
          return slices[
            Math.min(did.filter((word) => word === 'slice').length, slices.length) - 1
          ] as Slice;
        },
        answer: async () => null,
        pause: async () => void did.push('pause'),
        release: async () => void did.push('release'),
      },
      clock: { monotonic: () => now, every: () => () => void did.push('silent') },
      isStopping: () => isStopping,
    },
  );
  return {
    did,
    advance: () => activities.advance(REQUEST),
    cancel: (isAsked: boolean) => {
      context.cancellationDetails = { cancelRequested: isAsked };
      cancel(new Error('cancelled'));
    },
    stop: () => {
      isStopping = true;
    },
    passMinutes: (minutes: number) => {
      now += minutes * 60_000;
    },
  };
}

it('goes on with its run until it ends, and says before everything else that it lives', async () => {
  const { did, advance } = lab([GOING_ON, GOING_ON, ENDED]);
  expect(await advance()).toBe(ENDED);
  expect(did).toEqual(['beat', 'slice', 'slice', 'slice', 'release', 'silent']);
});

it.each([
  ['once the worker stops', (one: ReturnType<typeof lab>) => one.stop()],
  ['after some minutes', (one: ReturnType<typeof lab>) => one.passMinutes(5)],
])('leaves its run to others %s', async (_, happens) => {
  const one = lab([GOING_ON]);
  const working = one.advance();
  happens(one);
  expect(await working).toBe(GOING_ON);
  expect(one.did).toEqual(['beat', 'slice', 'release', 'silent']);
});

it('pauses a run that is cancelled', async () => {
  const { did, advance, cancel } = lab([GOING_ON]);
  const working = advance();
  cancel(true);
  await expect(working).rejects.toThrow('cancelled');
  expect(did.filter((word) => word !== 'slice')).toEqual(['beat', 'pause', 'release', 'silent']);
});

it('gives a run up that its server takes for lost', async () => {
  const { did, advance, cancel } = lab([GOING_ON]);
  const working = advance();
  cancel(false);
  await expect(working).rejects.toThrow('nobody waits');
  expect(did).not.toContain('pause');
  expect(did.slice(-2)).toEqual(['release', 'silent']);
});

it.each([
  ['temporal://one', 'one:7233', 'default'],
  ['temporal://[::1]:17233/', '[::1]:17233', 'default'],
  ['temporal://one:1/a%20b', 'one:1', 'a b'],
  ['temporal://one:1/100%', 'one:1', '100%'],
])('%s is a server and a namespace', (fleet, address, namespace) => {
  expect(temporalPlace(fleet)).toEqual({ address, namespace });
});

it('an address of the web is none of Temporal', () => {
  expect(temporalPlace('http://127.0.0.1:8080')).toBeNull();
});
