import { runPorts } from '../../context-manager/open-or-create.ts';
import { RUN_REPAIR } from '../../context-manager/repair-records.ts';
import { type Layout, usableLayout } from '../../journal/layout.ts';
import { isNothing, type RepairWork } from '../../journal/repair/contract.ts';
import { planRepair } from '../../journal/repair/plan.ts';
import { repairJournal } from '../../journal/repair/repair.ts';
import { defined } from '../../lib/defined.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { kindOf, storageError } from '../../lib/files/durable-files.ts';
import type { Machine } from '../../run/machine.ts';
import type { RunState } from '../../schema/state.ts';
import type { RepairPlan, RepairReport, RepairRequest } from '../engine-port.ts';
import { lostRecordsIn } from './lost-records.ts';
import { planWords } from './repair-words.ts';
import { underLock } from './run-place.ts';

/** What a repair would do, in words. Takes no lock and changes nothing. */
export function repairPlan(machine: Machine, workspace: string): RepairPlan {
  const layout = usableLayout(machine.fs, workspace);
  if (kindOf(machine.fs, layout.root) !== 'directory')
    return nothingToDo('there is no journal in this folder.');
  return planOf(machine, layout).plan;
}

const nothingToDo = (detail: string): RepairPlan => ({
  ...{ isNothing: true, detail, key: '' },
  ...{ found: [], kept: [], lost: [] },
});

function planOf(
  { fs }: Machine,
  layout: Layout,
): { readonly plan: RepairPlan; readonly work: RepairWork<RunState> | null } {
  try {
    const work = planRepair(placeOf(fs, layout));
    if (work === null) return { plan: nothingToDo('there is no journal in this folder.'), work };
    if (isNothing(work)) return { plan: nothingToDo('the journal is intact.'), work };
    const isOwn = work.cut !== null && work.other === null;
    const lost = isOwn ? lostRecordsIn(fs, layout.history, work.cut.inFile) : null;
    return { plan: { isNothing: false, detail: '', ...planWords(work, lost) }, work };
  } catch (error) {
    throw storageError(error, `reading ${layout.root}`);
  }
}

const placeOf = (fs: Machine['fs'], layout: Layout) => ({
  ...runPorts({ fs, layout }),
  records: RUN_REPAIR,
});

export function repair(machine: Machine, request: RepairRequest): RepairReport {
  const { fs, clock } = machine;
  const layout = usableLayout(fs, request.workspace);
  const nothing = (plan: RepairPlan): RepairReport => ({
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
