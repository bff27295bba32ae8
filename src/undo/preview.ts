/** What an undo would do, for people. Changes nothing. */
import { notCovered } from './not-covered.ts';
import type { UndoFile, UndoPlan } from './plan.ts';
import type { UndoDamage } from './records.ts';
import { type Step, type StepPlace, stepFor } from './step.ts';

export interface UndoPreview {
  /** What is undone. */
  readonly goal: string;
  /** A line for each file: `hello.py (created by the run, will be removed)`; `left`: for each that cannot go back. */
  readonly files: readonly string[];
  /** True where every file is as it was before the run, and all of the journal could be read. */
  readonly isAsBefore: boolean;
  readonly left: readonly string[];
  /** Those that may have done what an undo does not cover. */
  readonly commands: readonly string[];
  /** True where an undo covers what the commands did to files of the folder. */
  readonly isWatched: boolean;
  /** Left out where the whole journal could be read. */
  readonly damage?: UndoDamage;
  readonly copiesUsed?: string;
}

export type Previewed = Pick<
  UndoPlan,
  'files' | 'foldersGone' | 'unseen' | 'uncovered' | 'commands' | 'isWatched'
>;

/** @param only a file that is meant alone */
export function previewOf(
  plan: Previewed,
  { goal, only }: { readonly goal: string; readonly only: string | undefined },
  at: StepPlace,
): UndoPreview {
  const isMeant = ({ path }: { readonly path: string }) => only === undefined || path === only;
  const meant = plan.files.filter(isMeant).map((file) => ({ file, step: stepFor(file, at) }));
  const isPlanned = new Set(meant.map(({ file }) => file.path));
  const unseen = plan.unseen.filter((one) => isMeant(one) && !isPlanned.has(one.path));
  // Copies are used where the state is lost: what is there already is not worth a line.
  const isTold = ({ do: does }: Step): boolean =>
    does === 'restore' || (does === 'nothing' && at.beside === undefined);
  return {
    goal,
    files: meant.filter(({ step }) => isTold(step)).map(({ file, step }) => lineOf(file, step)),
    isAsBefore:
      plan.foldersGone.length === 0 && meant.every(({ step: { do: does } }) => does === 'nothing'),
    left: [
      ...plan.uncovered
        .filter(isMeant)
        .map(({ path, became }) => `${path} (${became} by a command, and not kept)`),
      ...unseen.map(({ path }) => `${path} (while nobody watched, nobody knows by whom)`),
      ...meant.flatMap(({ step }) => (step.do === 'leave' ? [`${step.path} (${step.why})`] : [])),
    ],
    commands: only === undefined ? notCovered(plan.commands) : [],
    isWatched: plan.isWatched,
  };
}

function lineOf({ path, writes }: UndoFile, step: Step): string {
  if (step.do === 'nothing') return `${path} (is as it was before the run already)`;
  if (step.do === 'restore' && step.beside !== undefined)
    return `${path} (was changed since and stays; what it held goes to ${step.beside})`;
  if (writes.every(({ isRemnant }) => isRemnant))
    return `${path} (as a damaged part of the journal says)`;
  const isByCommand = writes.every(({ by }) => by === 'command');
  if (writes[0]?.before !== null)
    return `${path} (${isByCommand ? 'changed by a command, ' : ''}will be put back)`;
  return `${path} (${isByCommand ? 'made by a command' : 'created by the run'}, will be removed)`;
}
