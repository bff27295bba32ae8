import { describe, expect, test } from 'vitest';
import { RUN_FORMAT } from '../../src/context-manager/run-format.ts';
import { hashGoal, isSameGoal } from '../../src/journal/runs/goal-id.ts';
import { chooseRun, listJournalledRuns, makeCurrent } from '../../src/journal/runs/runs.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { journalMachine, type LAYOUT, note } from '../support/journal-machine.ts';

const FINISHED: JournalRecord = { type: 'run_finished', ending: 'achieved', detail: '' };

function work(
  machine: ReturnType<typeof journalMachine>,
  goal: string,
  ...records: JournalRecord[]
) {
  makeCurrent(machine, null);
  const { journal } = machine.create(goal);
  for (const record of records) journal.append(record);
  journal.close();
}

const kindFor = ({ fs, layout }: { fs: FileSystem; layout: typeof LAYOUT }, goal: string | null) =>
  chooseRun({ fs, layout, format: RUN_FORMAT }, goal).kind;

describe('a goal', () => {
  test('is the same however its spaces and accents were typed', () => {
    expect(hashGoal(' caf\u00e9\n')).toBe(hashGoal('cafe\u0301'));
    expect(hashGoal('a')).not.toBe(hashGoal('b'));
    expect(isSameGoal(' caf\u00e9\n', 'cafe\u0301')).toBe(true);
    expect(isSameGoal('a', 'b')).toBe(false);
  });

  test('that is new, unfinished, finished', () => {
    const machine = journalMachine();
    expect(kindFor(machine, 'one')).toBe('new');
    expect(kindFor(machine, null)).toBe('new');
    work(machine, 'one', note('x'));
    expect(kindFor(machine, 'one')).toBe('resume');
    expect(kindFor(machine, null)).toBe('resume');
    expect(kindFor(machine, 'two')).toBe('new');
    work(machine, 'two', FINISHED, note('after the end'));
    expect(kindFor(machine, 'two')).toBe('finished');
  });

  test('comes back with its own journal after another one, also after that one ended', () => {
    const machine = journalMachine();
    work(machine, 'one', note('of one'));
    work(machine, 'two', FINISHED);
    const choice = chooseRun(machine, 'one');
    if (choice.kind !== 'resume') throw new Error(choice.kind);
    makeCurrent(machine, choice.run);
    expect(machine.open().state).toMatchObject([{ goal: 'one' }, { data: { text: 'of one' } }]);
    expect(listJournalledRuns(machine)).toMatchObject([
      { goal: 'two', ended: 'achieved', records: 2, isCurrent: false },
      { goal: 'one', ended: null, records: 2, isCurrent: true },
    ]);
  });

  test('that was undone is closed; an undo under way is not', () => {
    const machine = journalMachine();
    const undo: JournalRecord[] = [{ type: 'undo_started', files: [] }, { type: 'undo_finished' }];
    work(machine, 'one', FINISHED, ...undo.slice(0, 1));
    expect(kindFor(machine, 'one')).toBe('resume');
    work(machine, 'two', FINISHED, ...undo);
    expect(chooseRun(machine, 'two')).toMatchObject({ kind: 'finished', run: { ended: 'undone' } });
  });

  test('is found when the change of goals was cut off between its two renames', () => {
    const machine = journalMachine();
    work(machine, 'one', note('x'));
    work(machine, 'two', note('y'));
    makeCurrent(machine, null);
    expect(chooseRun(machine, null)).toMatchObject({ kind: 'resume', run: { goal: 'two' } });
    expect(chooseRun(machine, 'one')).toMatchObject({ kind: 'resume', run: { goal: 'one' } });
  });
});
