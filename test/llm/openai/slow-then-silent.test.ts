/** Whole runs on the hosted wires: a server that falls silent in mid-answer is asked again. */
import { afterEach, expect, it } from 'vitest';
import { DEFAULT_DEADLINES } from '../../../src/schema/config.ts';
import { FaultClock } from '../../support/fault-clock.ts';
import { FAULT_WORK } from '../../support/faults.ts';
import { ANTHROPIC } from '../../support/hosted-anthropic.ts';
import { OPENAI } from '../../support/hosted-openai.ts';
import { diligentModel } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { testWorld } from '../../support/test-machine.ts';

const toClose: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of toClose.splice(0).reverse()) await one.close();
});

it.each([ANTHROPIC, OPENAI])('$name: silence in mid-answer is retried', async (api) => {
  const clock = new FaultClock();
  const server = await api.serve(diligentModel(FAULT_WORK), {
    trouble: (n) => (n === 2 ? 'falls silent midway' : null),
  });
  const provider = api.provider(server, 'a.Zebra.4711', clock);
  toClose.push(server, provider);
  const world = testWorld();
  const { result, records } = await runIn(world, provider, {
    model: api.model,
    machine: { ...world.machine(), clock },
    emit: (event) => {
      if (event.type !== 'text' || !event.text.includes('half')) return;
      setImmediate(() => clock.advance(DEFAULT_DEADLINES.idleMs + 1));
    },
  });
  const statuses = records.flatMap((one) =>
    one.type === 'turn_finished' ? [one.status.kind] : [],
  );
  expect(result.ending).toBe('achieved');
  expect(statuses.slice(0, 3)).toEqual(['success', 'timeout', 'success']);
  expect(api.partsOf(server.asked[2] ?? '')).toEqual(api.partsOf(server.asked[1] ?? ''));
});
