/**
 * What a run may do to the files that were there before it. Pure; no verb of a goal decides anything.
 * 1. Declared are files that a subtask of the plan names, whose name stands in the goal, and whose content
 *    the run made. A command may change them, unless the brief says that they must stay.
 * 2. Neither naming nor the brief permits anybody to remove a file: the brief is only how a model reads
 *    the goal. It goes without a question where the run made it, or where its bytes stand under another name.
 * 3. Whatever else a command did to them is lost, unless somebody allowed this very command.
 */
import { originalOf } from '../context-manager/fold/files/known-files.ts';
import { isCache } from '../languages/languages.ts';
import { own } from '../lib/own.ts';
import { namesFile } from '../probe/names-file.ts';
import type { FileChange } from '../schema/actions.ts';
import type { BriefFile } from '../schema/model/brief.ts';
import { plannedFiles } from '../schema/plan.ts';
import type { RunState } from '../schema/state.ts';
import { globMatcher } from '../tools/search/glob.ts';
import { isIgnored } from '../workspace/walk.ts';

type UserFilesState = Pick<RunState, 'plan' | 'brief' | 'files' | 'commandChanges'>;

/** sha256 of what the disk holds now; `null`: no file, or one that cannot be read. */
export type HashAt = (path: string) => string | null;

/** A rule of the user's that lets the file be removed. */
type MayRemove = (path: string) => boolean;

/** True for a removal that needs a yes, however the model reads the goal. @param hash of what the file holds now */
export function removalAsks(
  state: UserFilesState,
  path: string,
  hash: string,
  hashAt: HashAt,
): boolean {
  const isElsewhere = holdersOf(state, hash).some(
    (other) => other !== path && hashAt(other) === hash,
  );
  if (isElsewhere) return false;
  return !isOwn(state, { path, before: hash, after: null }) || isLeftOf(state, path, hash);
}

/** True for a file that was there before the run, under whatever name. */
export const isTheirs = (state: UserFilesState, path: string, hash: string): boolean =>
  !isOwn(state, { path, before: hash, after: hash });

/** A file whose content was nobody's before the run, under whatever name. */
const isOwn = (state: UserFilesState, change: FileChange): boolean =>
  originalOf(state, change.path, [change]) === null;

/** Where the run left this content. */
function holdersOf({ files, commandChanges }: UserFilesState, hash: string): readonly string[] {
  const byTools = Object.entries(files).filter(([, file]) => file.written && file.hash === hash);
  const byCommands = Object.entries(commandChanges.files).filter(([, { after }]) => after === hash);
  return [...byTools, ...byCommands].map(([path]) => path);
}

/** True for a copy that is all that is left of a file that was there. */
const isLeftOf = ({ files, commandChanges }: UserFilesState, path: string, hash: string): boolean =>
  Object.entries(files).some(
    ([name, one]) => name !== path && one.hash === null && one.original === hash,
  ) ||
  Object.entries(commandChanges.files).some(
    ([name, { before, after }]) => name !== path && after === null && before === hash,
  );

const mustStay = (brief: UserFilesState['brief'], path: string): boolean =>
  (brief?.keep ?? []).some(
    ({ path: said }: BriefFile) =>
      namesFile(said, path) || isBelow(plainName(said), path) || fits(said, path),
  );

const plainName = (said: string): string => said.replace(/^\.\//, '').replace(/\/+$/, '');

const isBelow = (name: string, path: string): boolean =>
  path === name || path.startsWith(`${name}/`);

/** A pattern names something: stars alone are any file. */
const fits = (said: string, path: string): boolean =>
  /[*?[{]/.test(said) && /[\p{L}\p{N}]/u.test(said) && globMatcher(said)(path);

/** Files that the brief says must stay; what the run made was not there to stay. */
export const filesThatMustStay = (
  state: UserFilesState,
  files: readonly string[],
): readonly string[] => files.filter((path) => mustStay(state.brief, path) && !isMade(state, path));

const isMade = ({ files, commandChanges }: UserFilesState, path: string): boolean =>
  own(files, path)?.original === null || own(commandChanges.files, path)?.before === null;

/** @param goal of a conversation the person's last message */
function isDeclared({ plan, brief, files }: UserFilesState, goal: string, path: string): boolean {
  if (mustStay(brief, path)) return false;
  return (
    files[path]?.written === true || plannedFiles(plan).includes(path) || namesFile(goal, path)
  );
}

export interface Losses {
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export const lostPaths = ({ removed, changed }: Losses): readonly string[] => [
  ...removed,
  ...changed,
];

/** Of what a command did just now. @param changes all that it did */
export function lossesIn(
  state: UserFilesState,
  changes: readonly FileChange[],
  { goal, mayRemove }: { readonly goal: string; readonly mayRemove: MayRemove },
): Losses {
  const now = new Set(
    changes.flatMap(({ before, after }) => (before === after ? [] : (after ?? []))),
  );
  const isElsewhere = (path: string, hash: string): boolean =>
    now.has(hash) || holdersOf(state, hash).some((other) => other !== path);
  const theirs = changes.filter(
    (change) => change.before !== null && change.before !== change.after && !isOwn(state, change),
  );
  const removed = theirs.filter(
    ({ path, before, after }) =>
      after === null && !isElsewhere(path, before ?? '') && !mayRemove(path),
  );
  const changed = theirs.filter(
    ({ path, after }) => after !== null && !isNobodys(path) && !isDeclared(state, goal, path),
  );
  return { removed: pathsOf(removed), changed: pathsOf(changed) };
}

/** Caches and logs. */
const isNobodys = (path: string): boolean =>
  path.split('/').some((name) => isIgnored(name, isCache));

const pathsOf = (changes: readonly FileChange[]): string[] => changes.map(({ path }) => path);

/**
 * What commands lost over the whole run, and nothing brought back. Of what was not kept nobody can tell
 * whether it was moved.
 */
export function lossesOf(state: RunState, mayRemove: MayRemove): Losses {
  const { goal, commandChanges } = state;
  const seen = Object.entries(commandChanges.files)
    .filter(([, { isUnseen, isAllowed }]) => !isUnseen && !isAllowed)
    .map(([path, { before, after }]) => ({ path, before, after }));
  const { removed, changed } = lossesIn(state, seen, { goal, mayRemove });
  const allowed = new Set(commandChanges.allowed);
  const unkept = Object.entries(commandChanges.uncovered).filter(([path]) => !allowed.has(path));
  const gone = unkept.filter(([path, became]) => became === 'removed' && !mayRemove(path));
  const other = unkept.filter(
    ([path, became]) => became === 'changed' && !isNobodys(path) && !isDeclared(state, goal, path),
  );
  return {
    removed: [...removed, ...gone.map(([path]) => path)],
    changed: [...changed, ...other.map(([path]) => path)],
  };
}

/**
 * Files that were there and that the run removed, by a tool or a command, though the goal does not name them:
 * where whatever would ask is allowed beforehand, nobody ever allowed that.
 */
export function removedUnnamed(state: RunState, mayRemove: MayRemove): readonly string[] {
  const { goal, brief, files, commandChanges } = state;
  const byTools = Object.entries(files).flatMap(([path, { hash, original }]) =>
    hash === null && original ? [{ path, before: original, after: null }] : [],
  );
  const byCommands = Object.entries(commandChanges.files).flatMap(([path, { before, after }]) =>
    before !== null && after === null ? [{ path, before, after }] : [],
  );
  const unkept = Object.entries(commandChanges.uncovered).filter(
    ([, became]) => became === 'removed',
  );
  const isMoved = (before: string): boolean =>
    holdersOf(state, before).length > 0 ||
    Object.values(files).some(({ hash, original }) => hash !== null && original === before);
  const gone = [...byTools, ...byCommands].filter(
    (change) => !isOwn(state, change) && !isMoved(change.before),
  );
  const isNamed = (path: string): boolean => namesFile(goal, path) && !mustStay(brief, path);
  return [...new Set([...pathsOf(gone), ...unkept.map(([path]) => path)])].filter(
    (path) => !isNamed(path) && !mayRemove(path),
  );
}
