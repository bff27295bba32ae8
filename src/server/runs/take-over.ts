/**
 * Takes over a run that came with its folder, and repairs a damaged one. The first request shows what would be done and
 * returns a key; the second, with that key, does it. If anything has changed in between, nothing is done.
 */
import type { AdoptionPlan } from '../../host/journals/adopt-contract.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { AdoptAnswer, AgreedBody, RepairAnswer, RunSummary } from '../api/run-schemas.ts';
import { busyRefusal } from '../http/problem.ts';
import type { ServerPlace } from '../place.ts';
import { mustWorkIn } from '../roots.ts';

const NOTHING_DROPPED: AdoptAnswer['dropped'] = { addresses: [], grants: [] };

/**
 * Throws E_OUTSIDE if the folder is below no root, E_LOCKED, E_IO if there is no key to sign with, and what
 * the journal throws.
 */
export function adoptBelowRoot(
  place: ServerPlace,
  { path: workspace, id: run }: RunSummary,
  { agreed }: AgreedBody,
): AdoptAnswer {
  const { engine } = place;
  const plan = engine.planAdoption(workspace, run);
  if (plan === null) throw busyRefusal('There is no run to take over.', 'See GET /api/runs.');
  if (plan.isOwn) return { ...shown(plan), outcome: 'own', key: '', dropped: NOTHING_DROPPED };
  const planned = shown(plan);
  if (agreed === undefined) return planned;
  if (agreed !== planned.key) throw changedMeanwhile();
  mustWorkIn(place, workspace);
  const { goal, dropped } = engine.adopt({ workspace, run, forceUnlock: false });
  return { ...planned, outcome: 'adopted', goal, dropped: copied(dropped) };
}

function shown(plan: AdoptionPlan): AdoptAnswer {
  const { goal, next, dropped } = plan;
  const key = sha256(JSON.stringify(plan)).slice(0, 32);
  return { outcome: 'planned', key, goal, next: [...next], dropped: copied(dropped) };
}

const copied = ({ addresses, grants }: AdoptionPlan['dropped']) => ({
  addresses: [...addresses],
  grants: [...grants],
});

const changedMeanwhile = () =>
  busyRefusal('That run is not what it was when it was shown.', 'Ask for the plan again.');

/** Repairs the current run of its folder. Throws E_OUTSIDE, E_LOCKED, E_FENCED, and what the disk throws. */
export async function repairBelowRoot(
  place: ServerPlace,
  { path: workspace, id }: RunSummary,
  { agreed }: AgreedBody,
): Promise<RepairAnswer> {
  const { engine } = place;
  if (!engine.listRuns(workspace).some((run) => run.id === id && run.isCurrent))
    throw busyRefusal('Only the current run of a folder can be mended.', 'See GET /api/runs.');
  const { isNothing, key, found, kept, lost, detail } = await engine.planRepair(workspace);
  const plan = { key, found: [...found], kept: [...kept], lost: [...lost], detail };
  if (isNothing) return { ...plan, outcome: 'nothing', quarantine: null };
  if (agreed === undefined) return { ...plan, outcome: 'planned', quarantine: null };
  mustWorkIn(place, workspace);
  const done = await engine.repair({ workspace, forceUnlock: false, agreed });
  const { detail: said, quarantine } = done;
  return { ...plan, outcome: done.changed ? 'repaired' : 'nothing', detail: said, quarantine };
}
