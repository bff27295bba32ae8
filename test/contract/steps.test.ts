/**
 * The step contract: each step of a run may be taken by another process that sees the same workspace and
 * the same journal, and the requests are the same to the byte.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { play } from '../support/golden-requests.ts';
import { SCENARIOS } from '../support/golden-scenarios.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { runStepwise } from '../support/stepwise.ts';
import { testWorld } from '../support/test-machine.ts';

/** A file changes between two steps, and the next process tells the model so. */
const TOLD_MORE = new Set(['file-changed-meanwhile']);

describe('a scripted run of which every step is taken by a process of its own', () => {
  it.each(SCENARIOS)('$name, $mode mode, ends the same by the same requests', async (scenario) => {
    const text = await play(scenario, runStepwise);
    const file = `test/fixtures/requests/${scenario.name}-${scenario.mode}.json`;
    const isSame = text === readFileSync(file, 'utf8');
    expect(isSame).toBe(!TOLD_MORE.has(scenario.name));
  });

  it('stops at its limit of rounds over all processes, and counts anew once a person resumes it', async () => {
    const world = testWorld();
    const model = scriptedProvider(() => ({ calls: [{ name: 'list_dir', args: { path: '.' } }] }));
    const options = { toolMode: 'native', maxRounds: 3, works: runStepwise } as const;
    const first = await runIn(world, model, options);
    expect(first.result).toMatchObject({ ending: 'paused', why: 'limit_rounds' });
    const requests = model.requests.length;
    const second = await runIn(world, model, options);
    expect(second.result).toMatchObject({ ending: 'paused', why: 'limit_rounds' });
    expect(model.requests.length - requests).toBe(requests);
  });

  it('gives each process a token that is one more than that of the process before', async () => {
    const world = testWorld();
    const model = scriptedProvider(() => ({ calls: [{ name: 'list_dir', args: { path: '.' } }] }));
    await runIn(world, model, { toolMode: 'native', maxRounds: 2, works: runStepwise });
    const tokens = journalOf(world).flatMap((one) => (one.type === 'lease_taken' ? one.token : []));
    expect(tokens.length).toBeGreaterThan(3);
    expect(tokens).toEqual(tokens.map((_, at) => at + 2));
  });
});
