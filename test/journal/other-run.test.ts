import { describe, expect, test } from 'vitest';
import { planRepair } from '../../src/journal/repair/plan.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { hashGoal } from '../../src/journal/runs/goal-id.ts';
import { chooseRun, listJournalledRuns, makeCurrent } from '../../src/journal/runs/runs.ts';
import { writeSnapshot } from '../../src/journal/snapshot.ts';
import { readFileIfPresent, replaceFile } from '../../src/lib/files/durable-files.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { journalMachine, LAYOUT, note } from '../support/journal-machine.ts';

const bytesOf = (fs: FileSystem, path = LAYOUT.history) =>
  readFileIfPresent(fs, path) ?? Buffer.alloc(0);

type Machine = ReturnType<typeof journalMachine>;

/** The journal of another folder. */
function othersJournal(): Buffer {
  const { fs, create } = journalMachine();
  const { journal } = create('their goal');
  journal.append(note('theirs'));
  journal.close();
  return bytesOf(fs);
}

/** A run that has worked here, with the `state.json` it left. */
function worked(): { readonly machine: Machine; readonly run: string } {
  const machine = journalMachine();
  const { journal } = machine.create('my goal');
  journal.append(note('mine'));
  const { state, journal: again } = machine.open();
  again.close();
  const position = journal.position();
  writeSnapshot(machine.fs, LAYOUT, { ...position, schema: 1, synced: true, state });
  journal.close();
  return { machine, run: position.run };
}

function displaced() {
  const { machine, run } = worked();
  const theirs = othersJournal();
  replaceFile(machine.fs, LAYOUT.history, theirs);
  return { machine, run, theirs };
}

const OTHER_RUN = expect.objectContaining({
  code: 'E_JOURNAL_CORRUPT',
  message: expect.stringContaining('is the journal of another run ("their goal")'),
});

describe("another run's journal in place of one's own", () => {
  test('is named by every start, and nothing is changed', () => {
    const { machine, run, theirs } = displaced();
    expect(() => machine.openIfAny()).toThrow(OTHER_RUN);
    expect(() => machine.openIfAny()).toThrow(run);
    expect(bytesOf(machine.fs)).toEqual(theirs);
  });

  test('cannot be told where no state.json says who worked here', () => {
    const { machine } = displaced();
    machine.fs.unlink(LAYOUT.state);
    expect(machine.open().state).toMatchObject([{ goal: 'their goal' }, {}]);
  });

  test('goes to the journals of other goals when a person has it repaired, and the own run goes on', () => {
    const { machine, theirs } = displaced();
    expect(planRepair(machine)).toMatchObject({ other: { title: 'their goal' }, kept: 1 });
    const other = expect.stringMatching(/runs\/[0-9a-f]{16}\.jsonl$/);
    expect(repairJournal(machine)).toMatchObject({ quarantined: [], other });
    expect(machine.open().state).toMatchObject([
      { goal: 'my goal' },
      { data: { text: 'mine' } },
      { type: 'bytes_unreadable' },
    ]);
    const stored = listJournalledRuns(machine).find(({ isCurrent }) => !isCurrent);
    expect(bytesOf(machine.fs, stored?.file)).toEqual(theirs);
    expect(repairJournal(machine)).toBeNull();
    expect(chooseRun(machine, 'their goal')).toMatchObject({ kind: 'resume' });
  });

  test('goes to quarantine where it is stored already', () => {
    const { machine, theirs } = displaced();
    const [there] = listJournalledRuns(machine);
    replaceFile(machine.fs, `${LAYOUT.runs}/${there?.id}.jsonl`, Buffer.from('longer\n'));
    repairJournal(machine);
    expect(bytesOf(machine.fs, `${LAYOUT.quarantine}/history.jsonl.1`)).toEqual(theirs);
    expect(machine.open().state).toMatchObject([{ goal: 'my goal' }, {}, {}]);
  });

  test('is moved before anything is written: killed anywhere, the next repair does the rest', () => {
    for (let last = 0, isKilled = true; isKilled; last++) {
      const { machine, theirs } = displaced();
      isKilled = isKilledAfter(machine, last, (ports) => repairJournal(ports));
      repairJournal(machine);
      expect(machine.open().state[0], `killed after ${last}`).toMatchObject({ goal: 'my goal' });
      const stored = listJournalledRuns(machine).find(({ isCurrent }) => !isCurrent);
      expect(bytesOf(machine.fs, stored?.file)).toEqual(theirs);
    }
  });
});

test('a change of goals is never taken for it, wherever it is cut off', () => {
  for (let last = 0, isKilled = true; isKilled; last++) {
    const { machine } = worked();
    isKilled = isKilledAfter(machine, last, (ports) => {
      makeCurrent(ports, null);
      const { journal } = machine.create('the next goal');
      journal.close();
    });
    expect(() => machine.openIfAny(), `killed after ${last}`).not.toThrow();
    expect(listJournalledRuns(machine).map(({ goalHash }) => goalHash)).toContain(
      hashGoal('my goal'),
    );
  }
});

/** Whether the work came to be killed before its operation `last`. */
function isKilledAfter(machine: Machine, last: number, work: (machine: Machine) => void): boolean {
  let left = last;
  const { fs } = machine;
  const real = { ...fs, write: fs.write, rename: fs.rename, ftruncate: fs.ftruncate };
  const mortal =
    <Args extends unknown[], Result>(operation: (...args: Args) => Result) =>
    (...args: Args): Result => {
      if (left-- <= 0) throw new Error('killed');
      return operation.apply(fs, args);
    };
  try {
    Object.assign(fs, {
      write: mortal(real.write),
      rename: mortal(real.rename),
      ftruncate: mortal(real.ftruncate),
    });
    work(machine);
    return false;
  } catch (error) {
    if (!String(error).includes('killed')) throw error;
    return true;
  } finally {
    Object.assign(fs, { write: real.write, rename: real.rename, ftruncate: real.ftruncate });
  }
}

describe("another run's journal under a run that works", () => {
  const working = () => {
    const { machine } = worked();
    const { journal } = machine.open();
    return { ...machine, journal };
  };

  test('is named where it replaced the file, and the own one is saved beside it', () => {
    const { fs, journal } = working();
    replaceFile(fs, LAYOUT.history, othersJournal());
    expect(journal.watch.isOurs()).toBe(false);
    expect(() => journal.append(note('lost'))).toThrow(
      expect.objectContaining({
        code: 'E_STATE_GONE',
        message: expect.stringContaining(
          'was replaced by the journal of another run ("their goal")',
        ),
      }),
    );
  });

  test('is named where it was written over the own one', () => {
    const { fs, journal } = working();
    const fd = fs.open(LAYOUT.history, 'r+');
    fs.ftruncate(fd, 0);
    fs.write(fd, othersJournal(), 0);
    fs.close(fd);
    expect(journal.watch.isOurs()).toBe(false);
    expect(() => journal.append(note('lost'))).toThrow(
      expect.objectContaining({
        code: 'E_FENCED',
        message: expect.stringContaining('the journal of another run ("their goal")'),
      }),
    );
  });
});
