/**
 * Decides what to do with the files of a plan together. Changes nothing.
 * 1. Files in the way of a file that comes back go first, but only if all of them go and the file's former
 *    content is kept.
 * 2. A content that another file of the plan held before the run stays where the run put it, unless that file
 *    holds it again.
 */
import { pathsOf } from '../lib/files/absolute-paths.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { type Interruptible, runSync } from '../lib/interruptible.ts';
import { sha256 } from '../lib/sha256.ts';
import { infoOf } from '../workspace/files.ts';
import { entriesOf } from '../workspace/walk.ts';
import { currentPlaceOf, foldersAbove, placeOfFile } from './folders.ts';
import { targetFor, type UndoFile } from './plan.ts';
import { blobOf, MISSING_BLOB, type StepPlace, stepFor, type UndoStep } from './step.ts';

export interface Together {
  /** By path. */
  readonly steps: ReadonlyMap<string, UndoStep>;
  /** Files in whose place there are other files, which the run made and nobody changed. */
  readonly hidden: ReadonlySet<string>;
  /** The files among these others that go before a file comes back. */
  readonly inTheWay: ReadonlySet<string>;
}

type Steps = ReadonlyMap<string, UndoStep>;

/** One piece per file. */
export function* stepsTogether(files: readonly UndoFile[], at: StepPlace): Interruptible<Together> {
  const alone = new Map<string, UndoStep>();
  for (const file of files) {
    yield;
    alone.set(file.path, stepFor(file, at));
  }
  for (;;) {
    const together = clearing(files, alone, at);
    const lost = lostAmong(files, together.steps);
    const held = [...alone.values()].flatMap((step) => heldStep(step, lost) ?? []);
    if (held.length === 0) return together;
    for (const step of held) alone.set(step.path, step);
  }
}

/** What to do with one file while the others stay as they are. */
export function stepAlone(file: UndoFile, files: readonly UndoFile[], at: StepPlace): UndoStep {
  const { steps } = runSync(stepsTogether(files, at));
  const step = stepFor(file, at);
  const held =
    isRemoval(step) &&
    heldStep(
      step,
      lostAmong(files, steps, () => false),
    );
  return held || step;
}

export const isRemoval = (step: UndoStep | undefined): boolean =>
  step?.do === 'restore' && step.hash === null;

/**
 * Former contents that their files neither hold nor get back, each with one such file.
 * @param comesBack what a step to restore a file means for its content
 */
export function lostAmong(
  files: readonly UndoFile[],
  steps: Steps,
  comesBack: (path: string) => boolean = () => true,
): Map<string, string> {
  const lost = new Map<string, string>();
  for (const file of files) {
    const step = steps.get(file.path);
    const former = formerOf(file, step);
    if (former !== null && !(step?.do === 'restore' && comesBack(file.path)))
      lost.set(former, file.path);
  }
  return lost;
}

const EMPTY = sha256('');

/** The hash of what a file held before and does not hold now; `null`: nothing. */
export function formerOf(file: UndoFile, step: UndoStep | undefined): string | null {
  const current = step?.current ?? null;
  const { hash } = targetFor(file, current);
  return hash === current || hash === EMPTY ? null : hash;
}

/** Invariant 2; `null`: the step may be carried out. */
export function heldStep(step: UndoStep, lost: ReadonlyMap<string, string>): UndoStep | null {
  const { path, current } = step;
  const other = current === null ? undefined : lost.get(current);
  if (step.do !== 'restore' || step.beside !== undefined || other === undefined) return null;
  return { do: 'leave', path, current, why: `it holds what ${other} held, which is not back` };
}

/** Invariant 1. */
function clearing(files: readonly UndoFile[], alone: Steps, at: StepPlace): Together {
  const going = new Map<string, string>();
  for (const [path, step] of alone) {
    const place = isRemoval(step) ? placeOfFile(path, at) : null;
    if (place !== null) going.set(place, path);
  }
  const steps = new Map(alone);
  const [hidden, inTheWay] = [new Set<string>(), new Set<string>()];
  for (const file of going.size === 0 ? [] : files) {
    const { path } = file;
    const others = isRemoval(alone.get(path)) ? [] : inTheWayOf(path, going, at);
    const step = others.length === 0 ? null : stepOfHidden(file, at);
    if (step === null) continue;
    steps.set(path, step);
    hidden.add(path);
    for (const other of step.do === 'restore' ? others : []) inTheWay.add(other);
  }
  return { steps, hidden, inTheWay };
}

function stepOfHidden(file: UndoFile, at: StepPlace): UndoStep | null {
  const { path } = file;
  const { kind, hash, mode } = targetFor(file, null);
  if (kind === 'there_already') return { do: 'nothing', path, current: null };
  if (kind !== 'restore' || hash === null) return null;
  return blobOf(hash, at) === null
    ? { do: 'leave', path, current: null, why: MISSING_BLOB }
    : { do: 'restore', path, current: null, hash, mode };
}

/**
 * A file in place of one of its folders, the files of a folder in its own place, or a file whose name differs
 * in case alone on a disk where both are one. Empty if something stays there, or nothing is there.
 * @param going paths of files that are removed, by their place
 */
function inTheWayOf(
  path: string,
  going: ReadonlyMap<string, string>,
  at: StepPlace,
): readonly string[] {
  const place = placeOfFile(path, at);
  if (place === null)
    return foldersAbove(path)
      .flatMap((folder) => going.get(placeOfFile(folder, at) ?? '') ?? [])
      .slice(0, 1);
  if (currentPlaceOf(path, at) === null) {
    // If a folder stands there in another case, all of its files go if they can, so that it is made anew.
    const folder = foldersAbove(path).find((one) => currentPlaceOf(one, at) === null);
    const spelled = folder === undefined ? null : placeOfFile(folder, at);
    const whole = spelled === null ? null : allBelow(spelled, going, at.fs);
    if (whole !== null && whole.length > 0) return whole;
  }
  const isFolder = infoOf(at.fs, place)?.kind === 'directory';
  if (isFolder) return allBelow(place, going, at.fs) ?? [];
  const other = going.get(place);
  return other === undefined ? [] : [other];
}

/** The files below a folder; `null` if one of them stays. */
function allBelow(
  folder: string,
  going: ReadonlyMap<string, string>,
  fs: FileSystem,
): readonly string[] | null {
  const found: string[] = [];
  for (const { path: name, info } of entriesOf(fs, folder)) {
    const place = pathsOf(fs.platform).join(folder, name);
    const other = going.get(place);
    const below = info.kind === 'directory' ? allBelow(place, going, fs) : other && [other];
    if (!below) return null;
    found.push(...below);
  }
  return found;
}
