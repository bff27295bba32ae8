/** The faults of the table that look different behind a hosted API, each in its own words. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Candidate } from '../../src/llm/failover/candidate.ts';
import { FaultClock } from '../support/fault-clock.ts';
import { FAULT_WORK } from '../support/faults.ts';
import { ANTHROPIC } from '../support/hosted-anthropic.ts';
import type { HostedApi, HostedOptions, HostedServer, Trouble } from '../support/hosted-api.ts';
import { OPENAI } from '../support/hosted-openai.ts';
import { diligentModel } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { someKills } from '../support/some-kills.ts';
import { testWorld } from '../support/test-machine.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const KEYS = ['first.Zebra.4711', 'second.Okapi.0815'];

/** A run with two keys to one model. */
async function runAgainst(api: HostedApi, trouble: HostedOptions['trouble'], keys: string[]) {
  const server = await api.serve(diligentModel(FAULT_WORK), trouble ? { trouble } : {});
  const clock = new FaultClock();
  const ways = keys.map((key, index): Candidate => {
    const provider = api.provider(server, key, clock);
    open.push(provider);
    return { provider, model: api.model, profile: `KEY_${index + 1}` };
  });
  open.push(server);
  const [first, ...fallbacks] = ways;
  if (!first) throw new Error('A run needs a key.');
  const world = testWorld();
  const told = await runIn(world, first.provider, {
    model: api.model,
    profile: first.profile,
    fallbacks,
    machine: { ...world.machine(), clock },
  });
  const turns = told.records.filter((one) => one.type === 'turn_finished');
  return { ...told, server, clock, statuses: turns.map(({ status }) => status.kind) };
}

/** What the first request after the plan meets. */
const second =
  (trouble: Trouble): HostedOptions['trouble'] =>
  (n) =>
    n === 2 ? trouble : null;

const partsOf = (api: HostedApi, { asked }: HostedServer, index: number) =>
  api.partsOf(asked[index] ?? '');

const ROWS: readonly (readonly [Trouble, string, readonly number[]])[] = [
  ['rate limited', 'rate_limited', [2000]],
  ['server error', 'model_error', [1000]],
  ['connection reset', 'network_error', [1000]],
  ['cut midway', 'network_error', [1000]],
  ['error event', 'model_error', [1000]],
  ['no end', 'invalid_response', []],
];

/** What each status is behind which API is in test/contract; `npm run crash` plays every row on both. */
describe.each([ANTHROPIC, OPENAI])('a run on $name', (api) => {
  const turn = api === OPENAI ? 1 : 0;
  it.each(someKills(ROWS, 3, turn))(
    '%s: %s, asks the same again',
    async (trouble, status, waits) => {
      const run = await runAgainst(api, second(trouble), KEYS.slice(0, 1));
      expect(run.result.ending).toBe('achieved');
      expect(run.statuses.slice(0, 3)).toEqual(['success', status, 'success']);
      expect(run.statuses.slice(3).every((one) => one === 'success')).toBe(true);
      expect(run.clock.waited).toEqual(waits);
      expect(partsOf(api, run.server, 2)).toEqual(partsOf(api, run.server, 1));
    },
  );

  // The first reset is that of a kept connection: it is asked again at once, and not counted.
  const often: readonly [Trouble, string, number][] = [
    ['server error', 'model_error', 3],
    ['connection reset', 'network_error', 4],
  ];
  it.each(someKills(often, 2, turn))(
    '3 × %s: asks in one more turn, and goes on',
    async (trouble, status, times) => {
      const meets: HostedOptions['trouble'] = (n) => (n > 1 && n <= 1 + times ? trouble : null);
      const run = await runAgainst(api, meets, KEYS.slice(0, 1));
      expect(run.result.ending).toBe('achieved');
      expect(run.statuses.filter((one) => one !== 'success')).toEqual([status, status, status]);
      expect(run.clock.waited).toEqual([1000, 2000, 4000]);
      expect(partsOf(api, run.server, 1 + times)).toEqual(partsOf(api, run.server, 1));
    },
  );

  it('never runs a call that was cut off by the limit, and goes on', async () => {
    const run = await runAgainst(api, second('call cut off by the limit'), KEYS.slice(0, 1));
    expect(run.result.ending).toBe('achieved');
    expect(run.statuses.filter((one) => one !== 'success')).toEqual(['truncated']);
    const writes = run.records.filter(
      (one) => one.type === 'action_intended' && one.tool === 'write_file',
    );
    expect(writes).toHaveLength(1);
  });

  it('leaves a key that expires in the middle for the second one at once, and tells neither', async () => {
    const [first] = KEYS;
    const run = await runAgainst(
      api,
      (n, key) => (n > 1 && key === first ? 'expired key' : null),
      KEYS,
    );
    expect(run.result.ending).toBe('achieved');
    expect(run.statuses.slice(0, 3)).toEqual(['success', 'auth_failed', 'success']);
    expect(run.statuses.filter((one) => one !== 'success')).toEqual(['auth_failed']);
    expect(run.clock.waited).toEqual([]);
    expect(run.server.keys()).toEqual(KEYS);
    expect(partsOf(api, run.server, 2)).toEqual(partsOf(api, run.server, 1));
    const told = JSON.stringify([run.records, run.events]);
    for (const key of KEYS) expect(told).not.toContain(key);
  });
});
