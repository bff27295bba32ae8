/** Describes for people what an undo would do. Changes nothing. */
import { runSync } from '../lib/interruptible.ts';
import { contentReader } from '../workspace/before-images/packs.ts';
import { emptyFoldersOf } from './folders.ts';
import { isMeantPath } from './named-file.ts';
import { notCovered } from './not-covered.ts';
import type { UndoFile, UndoPlan } from './plan.ts';
import type { UndoDamage } from './records.ts';
import type { StepPlace, UndoStep } from './step.ts';
import { stepAlone, stepsTogether } from './together.ts';

export interface UndoPreview {
  /** The goal, or the message, that is undone. */
  readonly goal: string;
  /**
   * A line for each file: `hello.py (created by the run, will be removed)`, and for each empty folder; `left`: a
   * line for each file that cannot be restored.
   */
  readonly files: readonly string[];
  /** True if every file is as it was before the run, and the whole journal was readable. */
  readonly isAsBefore: boolean;
  readonly left: readonly string[];
  readonly commands: readonly string[];
  /** True if the undo covers what commands did to files of the folder. */
  readonly isWatched: boolean;
  /** Left out if the whole journal was readable. */
  readonly damage?: UndoDamage;
  readonly copiesUsed?: string;
}

export type Previewed = Omit<UndoPlan, 'state' | 'done'>;

/** @param only a single file to undo */
export function previewOf(
  plan: Previewed,
  { goal, only }: { readonly goal: string; readonly only: string | undefined },
  at: StepPlace,
): UndoPreview {
  const known = [...plan.files, ...plan.unseen, ...plan.uncovered].map(({ path }) => path);
  const isThis = isMeantPath(only, known, at.fs.platform);
  const isMeant = ({ path }: { readonly path: string }) => isThis(path);
  const files = plan.files.filter(isMeant);
  const contents = { ...at, readBlob: contentReader(plan.manifests, at.readBlob) };
  const steps = only === undefined ? runSync(stepsTogether(files, contents)).steps : null;
  const meant = files.map((file) => ({
    file,
    step: steps?.get(file.path) ?? stepAlone(file, plan.files, contents),
  }));
  const isPlanned = new Set(meant.map(({ file }) => file.path));
  const unseen = plan.unseen.filter((one) => isMeant(one) && !isPlanned.has(one.path));
  const empty = only === undefined ? emptyFoldersOf(plan.folders, at) : [];
  // Copies are used when the state is lost; files that are already restored are not worth a line.
  const isTold = ({ do: does }: UndoStep): boolean =>
    does === 'restore' || (does === 'nothing' && at.beside === undefined);
  return {
    goal,
    files: [
      ...meant.filter(({ step }) => isTold(step)).map(({ file, step }) => lineOf(file, step)),
      ...empty.map((path) => `${path}/ (created by the run, will be removed)`),
    ],
    isAsBefore:
      plan.foldersGone.length + empty.length === 0 &&
      meant.every(({ step: { do: does } }) => does === 'nothing'),
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

function lineOf({ path, writes }: UndoFile, step: UndoStep): string {
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
