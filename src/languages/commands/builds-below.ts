/**
 * Pure: the build files in folders of a workspace. A hash of each folder is recorded when the run opens.
 * While it stays the same, the folder's builds count as unchanged.
 */
import stringify from 'fast-json-stable-stringify';
import { lazily } from '../../lib/lazily.ts';
import { sha256 } from '../../lib/sha256.ts';
import { isDependency } from '../languages.ts';
import type { BuildLook, BuildsBelow, BuildsNow, BuildTexts } from './command-rule.ts';

type Take = (view: BuildLook) => BuildTexts;

/** The beginning of this module's keys: no key of a build tool begins like this. */
const MARK = '//';
/** Folders beyond these count as not examined. */
const MAX_FOLDERS = 200;

/** Where build files lie, and what they say. */
export interface FoldersLook extends BuildLook {
  /** The folders that hold build files. */
  folders(): readonly string[];
  /** The names in a folder, in any order. */
  names(folder: string): readonly string[];
}

/** The build texts of one folder. Programs of packages there are not examined: there may be many. */
function takeIn(folder: string, { readText, names }: FoldersLook, take: Take): BuildTexts {
  // Each build tool has several names for its file. Looking for every one of them in 200 folders would delay a start.
  const there = new Set(names(folder).map((name) => name.toLowerCase()));
  const isThere = (path: string): boolean => there.has((path.split('/')[0] ?? '').toLowerCase());
  return take({
    readText: (path) =>
      isDependency(path) || !isThere(path) ? null : readText(`${folder}/${path}`),
  });
}

const hashOf = (texts: BuildTexts): string => sha256(stringify(texts)).slice(0, 32);

/** What is recorded of all folders when a run opens. */
export const takeBelow = (look: FoldersLook, take: Take): BuildTexts =>
  Object.fromEntries(
    look
      .folders()
      .slice(0, MAX_FOLDERS)
      .map((folder) => [`${MARK}${folder}`, hashOf(takeIn(folder, look, take))]),
  );

/** The builds of one folder. */
export function buildsIn(
  folder: string,
  root: BuildsNow,
  look: FoldersLook,
  take: Take,
): BuildsNow {
  const now = lazily(() => takeIn(folder, look, take));
  const taken = root.taken?.[`${MARK}${folder}`];
  if (taken === undefined)
    return unseen(now, 'What is built there was not looked at when the run began.');
  if (taken !== hashOf(now()))
    return unseen(now, 'What is built there is not as it was when the run began.');
  const below = `${folder}/`;
  return {
    taken: now(),
    now,
    hasChanged: (is) =>
      root.hasChanged(
        (path) => is(path) || (path.startsWith(below) && is(path.slice(below.length))),
      ),
  };
}

const unseen = (now: BuildsNow['now'], why: string): BuildsNow => ({
  taken: {},
  now,
  unseen: why,
  hasChanged: () => true,
});

/** The builds of all folders, for a command that may run a line of any of them. */
export function buildsBelow(taken: BuildTexts | null, look: FoldersLook, take: Take): BuildsBelow {
  const folders = look.folders();
  const texts = folders.map((folder) => takeIn(folder, look, take));
  const isTaken = (folder: string, at: number): boolean =>
    taken?.[`${MARK}${folder}`] === hashOf(texts[at] ?? {});
  const count = Object.keys(taken ?? {}).filter((key) => key.startsWith(MARK)).length;
  return { folders, texts, areAsTaken: folders.length === count && folders.every(isTaken) };
}
