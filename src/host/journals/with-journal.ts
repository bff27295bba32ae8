/** Works with the journal of a run that no process works on; the caller holds the lock of its folder. */
import { RUN_FOLD, runPorts } from '../../context-manager/open-or-create.ts';
import type { Accept } from '../../context-manager/origin.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Layout } from '../../journal/layout.ts';
import { openJournal } from '../../journal/recover.ts';
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import type { Machine } from '../../run/machine.ts';
import type { JournalRecord, Stamped } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';

export interface OpenJournal {
  readonly state: RunState;
  readonly journal: Journal<JournalRecord>;
  /** Durable when it returns. */
  record(record: JournalRecord): void;
  sync(): void;
}

interface JournalPlace {
  readonly layout: Layout;
  readonly accept: Accept;
}

/** Throws E_USAGE if there is none, and the error of opening it. @param onRecord called for every record written */
export function withJournal<Result>(
  { fs, clock }: Pick<Machine, 'fs' | 'clock'>,
  { layout, accept }: JournalPlace,
  work: (opened: OpenJournal) => Result,
  onRecord: (record: Stamped) => void = () => {},
): Result {
  const opened = openJournal(runPorts({ fs, layout, clock, accept }));
  if (opened === null) throw noRun();
  const { journal } = opened;
  let { state } = opened;
  try {
    return work({
      get state() {
        return state;
      },
      journal,
      record: (record) => {
        const located = journal.append(record);
        journal.sync();
        state = RUN_FOLD.reduce(state, located);
        onRecord(located);
      },
      sync: () => journal.sync(),
    });
  } finally {
    journal.close();
  }
}

export const noRun = (): TardigradeError =>
  misuse('There is no run in this folder.', 'See what there is', {
    command: ['runs'],
  });
