import { expect, it } from 'vitest';
import { reduce } from '../../../src/context-manager/fold/fold.ts';
import type { JournalRecord, Located, ToolMode } from '../../../src/schema/records.ts';
import type { RunState } from '../../../src/schema/state.ts';
import { diligentModel, type PlannedWork } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { bareState } from '../../support/run-state.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { somePlaces } from '../../support/some-kills.ts';
import { testWorld } from '../../support/test-machine.ts';

const WORK: PlannedWork = {
  subtasks: [
    { action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' },
    { action: 'run_cmd', cmd: 'node hello.mjs --loud', purpose: 'shows it' },
    { action: 'write_file', file: 'usage.txt', purpose: 'says how it is run' },
  ],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'], 'usage.txt': ['node hello.mjs\n'] },
};

const MINE = '// Mine.\nconsole.log("hello");\n';

const isWritten = (record: JournalRecord): boolean =>
  record.type === 'action_finished' && record.tool === 'write_file';

const isTold = (record: JournalRecord): boolean =>
  record.type === 'message_added' && record.cause === 'resume';

it.each(['native', 'json'] as const)(
  'the model is told once, wherever between two actions the run was cut off (%s)',
  async (toolMode: ToolMode) => {
    const options = { toolMode, maxRounds: 60 };
    const calm = await runIn(testWorld(), scriptedProvider(diligentModel(WORK)), options);
    const from = calm.records.findIndex(isWritten) + 1;
    // Behind it, the answer under way ends the work.
    const to = calm.records.findLastIndex(({ type }) => type === 'subtask_started') + 1;
    expect(to - from).toBeGreaterThan(5);
    for (const index of somePlaces(from, to, 6)) {
      const world = testWorld();
      const provider = scriptedProvider(diligentModel(WORK));
      const machine = world.machine();
      const onRecord = (_: JournalRecord, seen: number): void => {
        if (seen !== index) return;
        machine.kill();
        throw new Error('killed');
      };
      await expect(runIn(world, provider, { ...options, machine, onRecord })).rejects.toThrow();
      world.write('hello.mjs', MINE);
      const where = `killed after record ${index}, ${calm.records[index - 1]?.type}`;
      const { records } = await runIn(world, provider, options);
      expect(records.filter(isTold), where).toHaveLength(1);
      const last = JSON.stringify(provider.requests.at(-1)?.messages);
      expect(last.split('Somebody changed these files'), where).toHaveLength(2);
      expect(last.split('Subtask 2 of 3').length, where).toBeLessThanOrEqual(2);
      expect(world.read('hello.mjs'), where).toBe(MINE);
    }
  },
);

it('a change that each start finds again is told once, until the model has looked at the file', () => {
  const after = (state: RunState, record: object): RunState =>
    reduce(state, { seq: 9, ts: 0, offset: 900, ...record } as Located);
  const found = { type: 'note', kind: 'changed_meanwhile', data: { paths: ['a.txt'] } };
  const told = { type: 'message_added', role: 'user', cause: 'resume', text: 'a.txt was changed' };
  const known = (hash: string) => ({ 'a.txt': { hash } }) as unknown as RunState['files'];
  const once = after(after(bareState('free', { files: known('1') }), found), told);
  expect(after(once, found).changedMeanwhile).toEqual([]);
  expect(after({ ...once, files: known('2') }, found).changedMeanwhile).toEqual(['a.txt']);
});
