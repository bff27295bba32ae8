/**
 * The step contract: each step of a run may be taken by another process that sees the same workspace and
 * the same journal, and the requests are the same to the byte.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RunGoalOptions } from '../../src/agent.ts';
import { play } from '../support/golden-requests.ts';
import { SCENARIOS } from '../support/golden-scenarios.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { someKills } from '../support/some-kills.ts';
import { runStepwise } from '../support/stepwise.ts';
import { testWorld } from '../support/test-machine.ts';

const NAMES = [...new Set(SCENARIOS.map(({ name }) => name))];

/** Every tenth scenario in one mode, in turn; `npm run crash` takes every mode of each. */
const SAMPLE = process.env.EVERY_KILL
  ? SCENARIOS
  : someKills(NAMES, 10).flatMap((name, at) => {
      const modes = SCENARIOS.filter((one) => one.name === name);
      return modes.slice(at % modes.length, (at % modes.length) + 1);
    });

/** A file changes between two steps, and the next process tells the model so. */
const TOLD_MORE = new Set(['file-changed-meanwhile']);

describe('a scripted run of a sample, of which every step is taken by a process of its own', () => {
  it.each(SAMPLE)('$name, $mode mode, ends the same by the same requests', async (scenario) => {
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

  it('holds the limits that it began with in every process that names none', async () => {
    const world = testWorld();
    const model = scriptedProvider(() => ({ calls: [{ name: 'list_dir', args: { path: '.' } }] }));
    const told = (options: RunGoalOptions, step: number): RunGoalOptions => {
      const { maxRounds: _rounds, ...untold } = options;
      return step === 1 ? options : untold;
    };
    const works = (options: RunGoalOptions) => runStepwise(options, told);
    const { result } = await runIn(world, model, { toolMode: 'native', maxRounds: 3, works });
    expect(result).toMatchObject({ ending: 'paused', why: 'limit_rounds' });
    const of = (type: string) => journalOf(world).filter((one) => one.type === type);
    expect(of('round_started')).toHaveLength(3);
    // No kill comes between a run and its limits.
    expect(of('run_opened')).toMatchObject([{ limits: { maxRounds: 3 } }]);
    expect(of('limits_set')).toEqual([]);
  });

  it('holds a limit that a later process names from then on, beside the others', async () => {
    const world = testWorld();
    const model = scriptedProvider(() => ({ calls: [{ name: 'list_dir', args: { path: '.' } }] }));
    const told = (options: RunGoalOptions, step: number): RunGoalOptions => {
      const { maxRounds: _rounds, ...untold } = options;
      return step === 5
        ? { ...untold, maxRounds: 2 }
        : step === 1
          ? { ...untold, maxTokens: 9e9 }
          : untold;
    };
    const works = (options: RunGoalOptions) => runStepwise(options, told);
    const { result } = await runIn(world, model, { toolMode: 'native', works });
    expect(result).toMatchObject({ ending: 'paused', why: 'limit_rounds' });
    expect(result.state.limits).toEqual({ maxRounds: 2, maxTokens: 9e9 });
  });

  it('holds the limits of a resume once a person resumes it, and no others', async () => {
    const world = testWorld();
    const model = scriptedProvider(() => ({ calls: [{ name: 'list_dir', args: { path: '.' } }] }));
    const options = { toolMode: 'native', works: runStepwise } as const;
    await runIn(world, model, { ...options, maxRounds: 1, maxTokens: 9e9 });
    const { result } = await runIn(world, model, { ...options, maxRounds: 2 });
    expect(result.state.limits).toEqual({ maxRounds: 2 });
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
