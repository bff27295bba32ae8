import { runPorts } from '../../context-manager/open-or-create.ts';
import { RUN_REPAIR } from '../../context-manager/repair-records.ts';
import { type Layout, usableLayout } from '../../journal/layout.ts';
import type { UnreadableSpan } from '../../journal/record-format.ts';
import { isNothing, type RepairWork } from '../../journal/repair/contract.ts';
import { planRepair } from '../../journal/repair/plan.ts';
import type { Flaw } from '../../journal/repair/read-damaged.ts';
import { repairJournal } from '../../journal/repair/repair.ts';
import { defined } from '../../lib/defined.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { fileKindAt, withStorageErrors } from '../../lib/files/durable-files.ts';
import { plural } from '../../lib/text/figures.ts';
import type { Machine } from '../../run/machine.ts';
import type { RunState } from '../../schema/state.ts';
import type { RepairPreview, RepairReport, RepairRequest } from '../engine-port.ts';
import { type LostRecords, lostRecordsIn } from './lost-records.ts';
import { underLock } from './run-place.ts';

/** What a repair would do, in words. Takes no lock and changes nothing. */
export function repairPlan(machine: Machine, workspace: string): RepairPreview {
  const layout = usableLayout(machine.fs, workspace);
  if (fileKindAt(machine.fs, layout.root) !== 'directory')
    return nothingToDo('there is no journal in this folder.');
  return planOf(machine, layout).plan;
}

const nothingToDo = (detail: string): RepairPreview => ({
  isNothing: true,
  detail,
  key: '',
  found: [],
  kept: [],
  lost: [],
});

function planOf(
  { fs }: Machine,
  layout: Layout,
): { readonly plan: RepairPreview; readonly work: RepairWork<RunState> | null } {
  return withStorageErrors(`reading ${layout.root}`, () => {
    const work = planRepair(placeOf(fs, layout));
    if (work === null) return { plan: nothingToDo('there is no journal in this folder.'), work };
    if (isNothing(work)) return { plan: nothingToDo('the journal is intact.'), work };
    const isOwn = work.cut !== null && work.other === null;
    const lost = isOwn ? lostRecordsIn(fs, layout.history, work.cut.inFile) : null;
    return { plan: { isNothing: false, detail: '', ...planWords(work, lost) }, work };
  });
}

const placeOf = (fs: Machine['fs'], layout: Layout) => ({
  ...runPorts({ fs, layout }),
  records: RUN_REPAIR,
});

export function repair(machine: Machine, request: RepairRequest): RepairReport {
  const { fs, clock } = machine;
  const layout = usableLayout(fs, request.workspace);
  const nothing = (plan: RepairPreview): RepairReport => ({
    changed: false,
    keptRecords: 0,
    quarantine: null,
    detail: plan.detail,
    plan,
  });
  const before = repairPlan(machine, request.workspace);
  if (before.isNothing) return nothing(before);
  return underLock(machine, layout, request, () => {
    const { plan, work } = planOf(machine, layout);
    if (plan.isNothing || work === null) return nothing(plan);
    if (request.agreed !== undefined && request.agreed !== plan.key) throw changedMeanwhile(layout);
    const done = repairJournal({ ...placeOf(fs, layout), clock });
    const moved = done?.quarantined ?? [];
    return {
      changed: true,
      keptRecords: work.kept,
      quarantine: moved.length === 0 ? null : moved.join(', '),
      ...defined({ other: done?.other ?? undefined }),
      detail: plan.lost.length === 0 ? 'Nothing was cut off.' : plan.lost.join(' '),
      plan,
    };
  });
}

const changedMeanwhile = ({ history }: Layout): TardigradeError =>
  new TardigradeError(
    'E_FENCED',
    `${history} is not what it was when the repair was shown. Nothing was changed.`,
    'Make sure that nobody else works in this folder, then repair it',
    { command: ['repair'] },
  );

type Words = Pick<RepairPreview, 'found' | 'kept' | 'lost' | 'key'>;

/** @param lost what is readable in the part that would be cut off; `null` if nothing would be */
function planWords(work: RepairWork<RunState>, lost: LostRecords | null): Words {
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

const span = ({ from, to, records }: UnreadableSpan): string =>
  `Bytes ${from} to ${to} of the journal, ${plural(records, 'record')}, cannot be read.`;

function damageText(work: RepairWork<RunState>): string[] {
  const { flaws, bridged, cut, strange, snapshot } = work;
  const found = [...flaws].map(([flaw, count]) => FLAW_WORDS[flaw](count));
  if (strange !== '') return [...found, `The journal is ${strange}.`];
  found.push(...bridged.map(span));
  if (cut?.isTorn) found.push(`The last record, ${cut.bytes} bytes, was never finished.`);
  else if (cut !== null)
    found.push(
      `From byte ${cut.inFile} on, ${cut.bytes} bytes, the journal makes no sense: ${cut.why}.`,
    );
  if (snapshot === 'ahead') found.push('state.json has seen records that are not in the journal.');
  return found;
}

function keptText(work: RepairWork<RunState>): string[] {
  const { other } = work;
  if (other === null) return ownWords(work);
  const where = 'to runs/, or to quarantine/ where that run has its journal already';
  return [`The journal of the goal "${other.title}", whole: it goes ${where}.`, ...ownWords(work)];
}

function ownWords({ journal, kept, bridged, cut, state }: RepairWork<RunState>): string[] {
  if (journal === 'set_aside')
    return ['No record of the run can be read. Former contents of files stay in blobs/.'];
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
    words.push(
      'Earlier contents of files that were recorded only there: an undo names those files.',
    );
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
    if (lost.files.length > 0)
      words.push(`Former contents of files that only this part names: ${lost.files.join(', ')}.`);
    words.push('All of it goes to quarantine/, where an undo still reads it.');
  }
  if (snapshot === 'ahead' && journal !== 'set_aside')
    words.push('state.json, which is newer than the journal: it goes to quarantine/.');
  return words;
}
