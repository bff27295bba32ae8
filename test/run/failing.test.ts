/** Before a run is called failed its proof has the last word, and no more than a claim has. */
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/schema/records.ts';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { journalOf, runIn, SAY_HELLO, UNSTATED } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { testWorld } from '../support/test-machine.ts';

const write = { action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' };
const HELLO: PlannedWork = {
  subtasks: [write],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};
/** A program that is on the allow list and not on this machine. */
const RUFF = { action: 'run_cmd', cmd: 'ruff check .', purpose: 'finds faults' };
const WITH_RUFF: PlannedWork = { ...HELLO, subtasks: [write, RUFF] };

const proofs = (records: readonly JournalRecord[]) =>
  records.flatMap((one) => (one.type === 'check_ran' && one.proof ? [one] : []));

describe.each(['native', 'json'] as const)(
  'a run that would be called failed in %s mode',
  (toolMode) => {
    const play = async (work: PlannedWork, goal = SAY_HELLO, script = diligentModel(work)) => {
      const world = testWorld();
      const options = { goal, toolMode };
      const provider = scriptedProvider(script);
      const told = await runIn(world, provider, options);
      return { ...told, requests: provider.requests.length };
    };

    it('is achieved where its proof passes and only a step of its plan could not be run', async () => {
      const { result, records } = await play(WITH_RUFF);
      expect(result.ending).toBe('achieved');
      expect(result).toMatchObject({
        detail: expect.stringContaining('proof passed: node hello.mjs'),
      });
      expect(result.state.counters.rounds).toBeLessThanOrEqual(12);
      expect(proofs(records).map(({ passed }) => passed)).toEqual([true]);
    });

    // A model that leads is told so when it plans.
    it.runIf(toolMode === 'json')(
      'claims nothing where the proof that was planned is not here, and names no other',
      async () => {
        const work = { ...WITH_RUFF, verify: { cmd: 'ruff check .', prints: '' } };
        const { result, records } = await play(work);
        expect(result.state.counters.rounds).toBeLessThanOrEqual(12);
        expect(proofs(records)).toEqual([]);
        expect(result.ending).toBe('unverified');
      },
    );

    it.runIf(toolMode === 'json')(
      'is proved by the program that the model names once it is told so',
      async () => {
        const work = { ...HELLO, verify: { cmd: 'ruff check .', prints: '' } };
        const { result, records } = await play(work, undefined, (request, n) => {
          const isTold = request.messages
            .at(-1)
            ?.content.includes('verify.cmd: ruff is not installed here.');
          return diligentModel(isTold ? HELLO : work)(request, n);
        });
        expect(proofs(records).map(({ check }) => check)).toEqual([{ cmd: 'node hello.mjs' }]);
        expect(result.ending).toBe('achieved');
      },
    );

    it('claims no more than any claim: the goal names a file that is not there', async () => {
      const { result } = await play(WITH_RUFF, 'Write greeting.mjs that says hello');
      expect(result).toMatchObject({
        ending: 'unverified',
        detail: 'the goal names greeting.mjs, but there is no such file',
      });
    });

    it('fails where the proof fails, and it is not run again where nothing changed since', async () => {
      const files = { 'hello.mjs': ['throw new Error("bye");\n'] };
      const { result, records } = await play({ ...HELLO, files }, UNSTATED);
      expect(result.ending).toBe('failed');
      const last = records.findLastIndex(
        (one) => one.type === 'action_finished' && one.facts.changed,
      );
      const after = proofs(records.slice(last));
      expect(after.length).toBeGreaterThan(0);
      expect(after.filter(({ failing }) => failing !== undefined).length).toBeLessThanOrEqual(1);
    });

    it('ends the same way whichever of its last records it is killed after', async () => {
      const whole = await play(WITH_RUFF);
      const { length } = whole.records;
      for (const at of somePlaces(length - 4, length, 3)) {
        const world = testWorld();
        const machine = world.machine();
        const onRecord = (_: JournalRecord, index: number): void => {
          if (index < at) return;
          machine.kill();
          throw new Error('killed');
        };
        const provider = scriptedProvider(diligentModel(WITH_RUFF));
        const options = { goal: SAY_HELLO, toolMode };
        const killed = runIn(world, provider, { ...options, machine, onRecord });
        await expect(killed).rejects.toThrow('killed');
        const { result } = await runIn(world, provider, options);
        expect(result.ending, `killed after ${at}`).toBe('achieved');
        expect(provider.requests).toHaveLength(whole.requests);
        expect(proofs(journalOf(world))).toHaveLength(1);
      }
    });
  },
);
