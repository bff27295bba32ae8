/**
 * What a run may do to files that existed before it. Pure; no verb of a goal decides anything.
 * 1. A file is declared if a subtask of the plan names it, if the goal contains its name, or if the run wrote
 *    its content. Commands may change declared files unless the brief says that they must stay.
 * 2. Neither a name nor the brief permits a removal, because the brief is only how a model reads the goal.
 *    Removing needs no question if the run made the file or if its bytes still exist under another name.
 * 3. Any other change by a command is a loss, unless the user allowed exactly this command.
 */
import { posix } from 'node:path';
import { originalOf } from '../context-manager/fold/files/known-files.ts';
import { isSecretFile } from '../languages/files/secret-files.ts';
import { isCache } from '../languages/languages.ts';
import { own } from '../lib/own.ts';
import { namesFile } from '../probe/names-file.ts';
import type { FileChange } from '../schema/actions.ts';
import type { BriefFile } from '../schema/model/brief.ts';
import { plannedFiles } from '../schema/plan.ts';
import type { RunState } from '../schema/state.ts';
import { globMatcher } from '../tools/search/glob.ts';
import { isIgnored as isCacheOrLog } from '../workspace/walk.ts';

/** Which of a user's files a command may touch unasked. */
export interface UnaskedChanges {
  /** True when one of the user's rules permits removing the file. */
  mayRemove(path: string): boolean;
  /** True when a build writes the file. */
  isOutput(path: string): boolean;
}

type UserFilesState = Pick<RunState, 'plan' | 'brief' | 'files' | 'commandChanges'>;

/** The sha256 of the current content; `null`: the file is missing or unreadable. */
export type HashAt = (path: string) => string | null;

/**
 * True when the removal needs the user's consent, whatever the model reads into the goal.
 * @param hash of the file's current content
 */
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

/** True when the content existed before the run, under this or another name. */
export const isTheirs = (state: UserFilesState, path: string, hash: string): boolean =>
  !isOwn(state, { path, before: hash, after: hash });

/** True when the content did not exist before the run, under this or another name. */
const isOwn = (state: UserFilesState, change: FileChange): boolean =>
  originalOf(state, change.path, [change]) === null;

/** Paths where the run left this content. */
function holdersOf({ files, commandChanges }: UserFilesState, hash: string): readonly string[] {
  const byTools = Object.entries(files).filter(([, file]) => file.written && file.hash === hash);
  const byCommands = Object.entries(commandChanges.files).filter(([, { after }]) => after === hash);
  return [...byTools, ...byCommands].map(([path]) => path);
}

/** True when the copy is the only one left of a file that existed before. */
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

/** A pattern must contain a letter or digit: a pattern of only wildcards would match any file. */
const fits = (said: string, path: string): boolean =>
  /[*?[{]/.test(said) && /[\p{L}\p{N}]/u.test(said) && globMatcher(said)(path);

/** Files that the brief says must stay. Files that the run made are excluded. */
export const filesThatMustStay = (
  state: UserFilesState,
  files: readonly string[],
): readonly string[] => files.filter((path) => mustStay(state.brief, path) && !isMade(state, path));

/**
 * The files that must stay and that tools of the run changed, moved or removed all the same, for instance
 * before there was a brief.
 */
export function changedToStay(state: UserFilesState): readonly string[] {
  const changed = Object.entries(state.files).flatMap(([path, { written, hash, original }]) =>
    written === true && original != null && hash !== original ? [path] : [],
  );
  return filesThatMustStay(state, changed);
}

const isMade = ({ files, commandChanges }: UserFilesState, path: string): boolean =>
  own(files, path)?.original === null || own(commandChanges.files, path)?.before === null;

/** @param goal in a conversation: the person's last message */
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

/** Losses of the latest command. @param changes all changes that it made @param unkept other files that it changed */
export function lossesOfCommand(
  state: UserFilesState,
  changes: readonly FileChange[],
  { goal, mayRemove, isOutput }: { readonly goal: string } & UnaskedChanges,
  unkept: readonly FileChange[] = [],
): Losses {
  const now = new Set(
    changes.flatMap(({ before, after }) => (before === after ? [] : (after ?? []))),
  );
  const isElsewhere = (path: string, hash: string): boolean =>
    now.has(hash) || holdersOf(state, hash).some((other) => other !== path);
  const theirs = changes.filter(
    (change) =>
      change.before !== null &&
      change.before !== change.after &&
      !isOwn(state, change) &&
      !isBuildOutput(state, change, [...changes, ...unkept], isOutput),
  );
  const removed = theirs.filter(
    ({ path, before, after }) =>
      after === null && !isElsewhere(path, before ?? '') && !mayRemove(path),
  );
  const changed = theirs.filter(
    ({ path, after }) => after !== null && !isNobodysPath(path) && !isDeclared(state, goal, path),
  );
  return { removed: pathsOf(removed), changed: pathsOf(changed) };
}

/** True for what a build writes. Where a file was removed, the build must have put another one beside it. */
const isBuildOutput = (
  state: UserFilesState,
  { path, after }: FileChange,
  changes: readonly FileChange[],
  isOutput: UnaskedChanges['isOutput'],
): boolean =>
  isOutput(path) &&
  !isSecretFile(path) &&
  !mustStay(state.brief, path) &&
  !hasChangedIgnores(state, isOutput) &&
  (after !== null ||
    changes.some(
      (one) =>
        one.after !== null &&
        one.after !== one.before &&
        posix.dirname(one.path) === posix.dirname(path),
    ));

/**
 * True if this run changed what git ignores: then being ignored says nothing. A `.gitignore` inside an
 * ignored folder does not count: a build copies its sources there.
 */
export const hasChangedIgnores = (
  { files, commandChanges }: Pick<UserFilesState, 'files' | 'commandChanges'>,
  isIgnoredFolder: (folder: string) => boolean,
): boolean =>
  [
    ...Object.keys(commandChanges.files),
    ...Object.entries(files).flatMap(([path, { written }]) => (written ? [path] : [])),
  ].some(
    (path) =>
      posix.basename(path) === '.gitignore' &&
      (!path.includes('/') || !isIgnoredFolder(posix.dirname(path))),
  );

/** True for caches and logs. */
export const isNobodysPath = (path: string): boolean =>
  path.split('/').some((name) => isCacheOrLog(name, isCache));

const pathsOf = (changes: readonly FileChange[]): string[] => changes.map(({ path }) => path);

/**
 * Losses by commands over the whole run that nothing restored. If the content was not kept, a move cannot be
 * told from a removal.
 */
export function lossesOfRun(state: RunState, free: UnaskedChanges): Losses {
  const { mayRemove } = free;
  const { goal, commandChanges } = state;
  const seen = Object.entries(commandChanges.files)
    .filter(([, { isUnseen, isAllowed }]) => !isUnseen && !isAllowed)
    .map(([path, { before, after }]) => ({ path, before, after }));
  const allowed = new Set(commandChanges.allowed);
  const unkept = unkeptChanges(state).filter(({ path }) => !allowed.has(path));
  const { removed, changed } = lossesOfCommand(state, seen, { goal, ...free }, unkept);
  const others = unkept.filter(
    (one) => one.before !== null && !isBuildOutput(state, one, [...seen, ...unkept], free.isOutput),
  );
  const gone = others.filter(({ path, after }) => after === null && !mayRemove(path));
  const other = others.filter(
    ({ path, after }) => after !== null && !isNobodysPath(path) && !isDeclared(state, goal, path),
  );
  return {
    removed: [...removed, ...pathsOf(gone)],
    changed: [...changed, ...pathsOf(other)],
  };
}

/** Files without a kept content, as changes between unknown contents. */
const unkeptChanges = ({ commandChanges }: UserFilesState): readonly FileChange[] =>
  Object.entries(commandChanges.uncovered).map(([path, became]) => ({
    path,
    before: became === 'made' ? null : 'before',
    after: became === 'removed' ? null : 'after',
  }));

/**
 * Existing files that the run removed, by a tool or a command, although the goal does not name them. With
 * blanket permission in advance nobody was asked about them.
 */
export function removedUnnamed(
  state: RunState,
  { mayRemove, isOutput }: UnaskedChanges,
): readonly string[] {
  const { goal, brief, files, commandChanges } = state;
  const byTools = Object.entries(files).flatMap(([path, { hash, original }]) =>
    hash === null && original ? [{ path, before: original, after: null }] : [],
  );
  const changes = Object.entries(commandChanges.files).map(([path, { before, after }]) => ({
    path,
    before,
    after,
  }));
  const all = [...changes, ...unkeptChanges(state)];
  const isTaken = (one: FileChange): one is FileChange & { readonly before: string } =>
    one.before !== null && one.after === null && !isBuildOutput(state, one, all, isOutput);
  const byCommands = changes.filter(isTaken);
  const unkept = unkeptChanges(state).filter(isTaken);
  const isMoved = (before: string): boolean =>
    holdersOf(state, before).length > 0 ||
    Object.values(files).some(({ hash, original }) => hash !== null && original === before);
  const gone = [...byTools, ...byCommands].filter(
    (change) => !isOwn(state, change) && !isMoved(change.before),
  );
  const isNamed = (path: string): boolean => namesFile(goal, path) && !mustStay(brief, path);
  return [...new Set(pathsOf([...gone, ...unkept]))].filter(
    (path) => !isNamed(path) && !mayRemove(path),
  );
}
