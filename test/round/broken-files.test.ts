/** What the user had can still be read when a guided run is over. */
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/schema/records.ts';
import { diligentModel, type PlannedWork, wantedBy } from '../support/models.ts';
import { journalOf, type RunIn, runIn } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

const WORK: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'ports.json', purpose: 'port is 80' }],
};
const GOAL = { toolMode: 'json', keep: true, goal: 'Set the port in ports.json to 80' } as const;
const GIVEN = '{\n  "host": "here",\n  "port": 1\n}\n';
const BROKEN = '{\n  "host": "here",\n  "port": 80,\n';

const writing =
  (content: string): Script =>
  (request, n) =>
    wantedBy(request) === 'content' ? `\`\`\`\n${content}\`\`\`` : diligentModel(WORK)(request, n);

async function work(given: string | null, content: string, more: RunIn = {}) {
  const world = testWorld();
  if (given !== null) world.write('ports.json', given);
  const told = await runIn(world, scriptedProvider(writing(content)), { ...GOAL, ...more });
  return { world, ...told };
}

const wasPutBack = (records: readonly JournalRecord[]): boolean =>
  records.some((one) => one.type === 'round_started' && one.origin === 'put_back');

describe('a guided run that leaves a given file unreadable', () => {
  it('puts back what was there before it ends, by a journalled write, and claims nothing', async () => {
    const { world, result, records } = await work(GIVEN, BROKEN);
    expect(world.read('ports.json')).toBe(GIVEN);
    expect(wasPutBack(records)).toBe(true);
    expect(result.ending).not.toBe('achieved');
  });

  it('keeps what the run made where the file could not be read before either', async () => {
    const { world } = await work(`${GIVEN}}}`, BROKEN);
    expect(world.read('ports.json')).toBe(BROKEN);
  });

  it('keeps a file that it made itself, and one that can be read', async () => {
    expect((await work(null, BROKEN)).world.read('ports.json')).toBe(BROKEN);
    const { world, records } = await work(GIVEN, GIVEN.replace('1', '80'));
    expect(world.read('ports.json')).toBe(GIVEN.replace('1', '80'));
    expect(wasPutBack(records)).toBe(false);
  });

  it('ends so whichever record it is killed behind', async () => {
    const whole = await work(GIVEN, BROKEN);
    const from = whole.records.findIndex(
      (one) => one.type === 'round_started' && one.origin === 'put_back',
    );
    expect(from).toBeGreaterThan(0);
    for (let at = from; at < whole.records.length; at += 1) {
      const world: TestWorld = testWorld();
      world.write('ports.json', GIVEN);
      const machine = world.machine();
      const onRecord = (_: JournalRecord, index: number): void => {
        if (index < at) return;
        machine.kill();
        throw new Error('killed');
      };
      const provider = scriptedProvider(writing(BROKEN));
      await expect(runIn(world, provider, { ...GOAL, machine, onRecord })).rejects.toThrow();
      const { result } = await runIn(world, provider, GOAL);
      expect(world.read('ports.json'), `killed behind ${at}`).toBe(GIVEN);
      expect(result.ending).toBe(whole.result.ending);
      expect(journalOf(world).filter((one) => one.type === 'action_finished')).toHaveLength(
        whole.records.filter((one) => one.type === 'action_finished').length,
      );
    }
  });
});
