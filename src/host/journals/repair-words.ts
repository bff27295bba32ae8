/** Pure: what a repair found and would do, in sentences. */

import type { Span } from '../../journal/record-format.ts';
import type { RepairWork } from '../../journal/repair/contract.ts';
import type { Flaw } from '../../journal/repair/read-damaged.ts';
import { plural } from '../../lib/text/figures.ts';
import type { RunState } from '../../schema/state.ts';
import type { RepairPlan } from '../engine-port.ts';
import type { LostRecords } from './lost-records.ts';

type Words = Pick<RepairPlan, 'found' | 'kept' | 'lost' | 'key'>;

/** @param lost what is readable in the part that would be cut off; `null` if nothing would be */
export function planWords(work: RepairWork<RunState>, lost: LostRecords | null): Words {
  return {
    found: damageText(work),
    kept: keptText(work),
    lost: lostWords(work, lost),
    key: JSON.stringify([
      work.journal,
      work.end,
      work.cut,
      work.bridged,
      [...work.flaws],
      work.other,
    ]),
  };
}

const FLAW_WORDS: { readonly [F in Flaw]: (count: number) => string } = {
  byte_order_mark: () => 'The journal begins with a byte order mark, as some editors write it.',
  line_ends: (count) =>
    `${plural(count, 'line')} of the journal end in CR LF, as an editor or git leaves them.`,
  blank_lines: (count) => `${plural(count, 'blank line')} in the journal.`,
  foreign_lines: (count) => `${plural(count, 'line')} that do not belong there.`,
  no_last_newline: () => 'The last line of the journal has lost its end.',
};

const span = ({ from, to, records }: Span): string =>
  `Bytes ${from} to ${to} of the journal, ${plural(records, 'record')}, cannot be read.`;

function damageText(work: RepairWork<RunState>): string[] {
  const { flaws, bridged, cut, strange, snapshot } = work;
  return [
    ...[...flaws].map(([flaw, count]) => FLAW_WORDS[flaw](count)),
    ...(strange === '' ? [] : [`The journal is ${strange}.`]),
    ...(strange === '' ? bridged.map(span) : []),
    ...(cut === null || strange !== ''
      ? []
      : [
          cut.isTorn
            ? `The last record, ${cut.bytes} bytes, was never finished.`
            : `From byte ${cut.inFile} on, ${cut.bytes} bytes, the journal makes no sense: ${cut.why}.`,
        ]),
    ...(snapshot === 'ahead' && strange === ''
      ? ['state.json has seen records that are not in the journal.']
      : []),
  ];
}

function keptText(work: RepairWork<RunState>): string[] {
  const { other } = work;
  if (other === null) return ownWords(work);
  const where = 'to runs/, or to quarantine/ where that run has its journal already';
  return [`The journal of the goal "${other.title}", whole: it goes ${where}.`, ...ownWords(work)];
}

function ownWords({ journal, kept, bridged, cut, state }: RepairWork<RunState>): string[] {
  if (journal === 'set_aside') {
    return ['No record of the run can be read. Former contents of files stay in blobs/.'];
  }
  const records = `${cut === null && bridged.length === 0 ? 'All ' : ''}${plural(kept, 'record')}`;
  if (bridged.length === 0) return [`${records}, unchanged.`];
  const goal = state === null ? '' : `, of the goal "${state.goal}"`;
  return [
    `${records}${goal}.`,
    'The state of the run: state.json has seen what cannot be read, so the run can go on.',
  ];
}

function lostWords(work: RepairWork<RunState>, lost: LostRecords | null): string[] {
  const words: string[] = [];
  const { journal, bridged, cut, snapshot, state } = work;
  if (bridged.length > 0) {
    words.push('What was said in the bytes that cannot be read: the model is told so.');
    words.push('What only they knew of former contents of files; an undo names those files.');
  }
  if (journal === 'set_aside') {
    const goal = state === null ? '' : `: the goal "${state.goal}"`;
    words.push(`The run itself${goal}. It can be started over.`);
  }
  if (cut !== null && !cut.isTorn && lost !== null) {
    words.push(
      `${plural(lost.records, 'record')} that can still be read, and ${plural(lost.unreadable, 'line')} that cannot: ` +
        `${plural(lost.turns, 'model turn')}, ${plural(lost.actions, 'action')}, ${plural(lost.subtasks, 'finished step')}.`,
    );
    if (lost.files.length > 0) {
      words.push(`Former contents of files that only this part names: ${lost.files.join(', ')}.`);
    }
    words.push('All of it goes to quarantine/, where an undo still reads it.');
  }
  if (snapshot === 'ahead' && journal !== 'set_aside') {
    words.push('state.json, which has seen more: it goes to quarantine/.');
  }
  return words;
}
