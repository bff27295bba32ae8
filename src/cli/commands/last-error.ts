import type { RunState } from '../../schema/state.ts';
import { JournalTail } from '../journal-tail.ts';
import { checkWords, withTargets } from '../render/records/history-words.ts';
import { planStands, triedText, whyNot } from '../render/records/tried.ts';

/**
 * The last failure that was not repaired since, in plain words; `null`: there is none, or its record is
 * unreadable.
 * @param path of the run's journal
 */
export function lastErrorIn(
  path: string,
  { recentErrors, ended }: Pick<RunState, 'recentErrors' | 'ended'>,
): string | null {
  const error = recentErrors.findLast(({ isMended }) => isMended !== true);
  if (error === undefined || ended?.ending === 'achieved') return null;
  const completed = withTargets();
  let hasPlan = false;
  for (const lines of new JournalTail(path).batches()) {
    for (const { record: read, isChanged } of lines) {
      if (read === null || isChanged) continue;
      const record = completed(read);
      if (record.seq === error.seq) {
        if (record.type === 'check_ran') return checkWords(record);
        if (record.type !== 'action_finished') return null;
        return `${triedText(record)}: ${whyNot(record, hasPlan)}`;
      }
      hasPlan = planStands(record, hasPlan);
    }
  }
  return null;
}
