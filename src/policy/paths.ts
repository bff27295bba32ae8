/** Turns the paths of a call into subjects that the layers judge. */
import { isInside, pathsOf } from '../lib/files/absolute-paths.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { orNull } from '../lib/or-null.ts';
import { isVisible } from '../lib/text/visible.ts';
import { fromFolder } from '../tools/files/in-folder.ts';
import { resolveInWorkspace } from '../workspace/jail.ts';
import { judgePath, protectedFolder } from '../workspace/path-rules.ts';
import type { TouchedPath } from './command/contract.ts';
import { protectedFile } from './files.ts';
import type { DefaultRuling, Loses, Subject } from './layers.ts';
import { ruleText } from './rules/parse.ts';
import { matchesPath, type PathPlace } from './rules/paths.ts';
import type { PathPattern, Rule } from './rules/rule.ts';

export interface PathOptions {
  readonly fs: FileSystem;
  /** Absolute real path. */
  readonly workspace: string;
  /** `null`: the home folder is unknown. */
  readonly home: string | null;
  /** The folder in which the command with these paths runs, relative to the workspace; left out: the workspace. */
  readonly folder?: string | undefined;
  /** Whether changing an existing file needs consent; path relative to the workspace. Left out: never. */
  readonly isUsers?: ((does: Loses['does'], path: string) => boolean) | undefined;
}

/**
 * The names of a path relative to the workspace: as written, and after resolving links. `null` if it lies
 * outside, where the jail refuses it.
 */
export function namesOfPath(
  path: string,
  { fs, workspace }: PathOptions,
  forWrite = false,
): readonly string[] | null {
  const verdict = judgePath(path);
  if (verdict.kind === 'refused') return null;
  const written = verdict.segments.join('/') || '.';
  const options = { platform: fs.platform, forWrite };
  const found = resolveInWorkspace(fs, workspace, path, options);
  if (found.kind === 'refused') return null;
  return [...new Set([written, found.relative])];
}

/** A command can read what no tool would name: `aux/.env`, `a:b`. */
function namesOfOdd(path: string, { fs, workspace }: PathOptions): readonly string[] | null {
  const { resolve, relative, sep } = pathsOf(fs.platform);
  const absolute = resolve(workspace, path);
  const names = [absolute, orNull(() => fs.realpath(absolute)) ?? absolute];
  const inside = names.filter((name) => isInside(workspace, name, fs.platform));
  if (inside.length === 0) return null;
  return [...new Set(inside.map((name) => relative(workspace, name).split(sep).join('/') || '.'))];
}

/** A command may name an absolute path that lies inside. */
export function fromWorkspace(path: string, { fs, workspace, folder }: PathOptions): string {
  const paths = pathsOf(fs.platform);
  if (!paths.isAbsolute(path)) return fromFolder(path, folder, fs.platform);
  return paths.relative(workspace, path).split(paths.sep).join('/') || '.';
}

/** @param isCommand true if no jail protects the path */
export function pathSubject(
  { does, path, isUnseen, isOnlyName }: TouchedPath,
  options: PathOptions,
  isCommand: boolean,
): Subject | null {
  const forWrite = does === 'edit' && !isCommand;
  const from = isCommand ? fromWorkspace(path, options) : path;
  const names =
    namesOfPath(from, options, forWrite) ??
    (isCommand && does === 'read' ? namesOfOdd(from, options) : null);
  if (names === null) return isCommand && does === 'edit' ? beyond(path) : null;
  const place: PathPlace = {
    workspace: options.workspace.replaceAll('\\', '/'),
    home: options.home?.replaceAll('\\', '/') ?? null,
  };
  const fits = (rule: Rule, name: string, anyCase: boolean): boolean =>
    rule.pattern.kind === 'path' &&
    rule.pattern.does === does &&
    matchesPath(rule.pattern, name, place, anyCase);
  const anyCase = options.fs.platform !== 'linux';
  const [name = '.'] = names;
  const isWritten = isVisible(name) && !name.includes('\\');
  const base = isOnlyName
    ? null
    : isUnseen
      ? unseen(name)
      : (baseOf(does, names, isCommand) ?? (isCommand ? null : lossIn(does, names, options)));
  return {
    base: base?.restriction ?? null,
    needsApprovalBy: (rule) => names.some((one) => fits(rule, one, true)),
    isAllowedBy: (rule) => names.every((one) => fits(rule, one, anyCase)),
    isExact: () => true,
    want: {
      rule: isUnseen || !isWritten ? null : ruleText(exactly(does, name)),
      isOffered: (base?.isOffered ?? true) && isWritten,
    },
  };
}

/**
 * A pattern for exactly this name. A rule reads `\` as a separator, so special characters are put into
 * brackets.
 */
const exactly = (does: TouchedPath['does'], name: string): PathPattern => ({
  kind: 'path',
  does,
  root: 'workspace',
  glob: `/${name.replace(/[*?[]/g, '[$&]')}`,
});

interface BaseRestriction {
  readonly restriction: DefaultRuling;
  readonly isOffered: boolean;
}

const unseen = (folder: string): BaseRestriction => ({
  restriction: {
    effect: 'ask',
    reason: `There is more below ${folder} than was looked at, and some of it may hold keys.`,
    instead: 'Name a folder with less in it.',
  },
  isOffered: false,
});

function baseOf(
  does: TouchedPath['does'],
  names: readonly string[],
  isCommand: boolean,
): BaseRestriction | null {
  const folder = isCommand && does === 'edit' ? protectedIn(names) : null;
  if (folder !== null)
    return { restriction: never(`Nothing in ${folder} may be changed.`), isOffered: false };
  for (const name of names) {
    const held = protectedFile(does, name);
    if (held === null) continue;
    const base: DefaultRuling = {
      effect: 'ask',
      reason: held.reason,
      instead: 'Go on without it.',
    };
    return { restriction: base, isOffered: held.isOffered };
  }
  return null;
}

/** An existing file belongs to someone, whoever names it. */
function lossIn(
  does: TouchedPath['does'],
  names: readonly string[],
  { isUsers }: PathOptions,
): BaseRestriction | null {
  const path = names.at(-1);
  if (does === 'read' || path === undefined || !isUsers?.(does, path)) return null;
  const instead = does === 'remove' ? 'Do not remove it.' : 'Write to a file of another name.';
  return {
    restriction: { effect: 'ask', reason: '', instead, loses: { does, path } },
    isOffered: true,
  };
}

const protectedIn = (names: readonly string[]): string | null =>
  names.map((name) => protectedFolder(name.split('/'))).find((folder) => folder !== null) ?? null;

/** True if a command's path leads into a folder in which nothing may be changed. */
export const isProtected = (path: string, options: PathOptions): boolean =>
  protectedIn(namesOfPath(fromWorkspace(path, options), options) ?? []) !== null;

const never = (reason: string): DefaultRuling => ({
  effect: 'never',
  reason,
  instead: 'Work with files of the workspace.',
});

/** A command that would change something outside. */
const beyond = (path: string): Subject => ({
  base: never(`${path} lies outside the workspace, or no file can have that name.`),
  needsApprovalBy: () => false,
  isAllowedBy: () => false,
  isExact: () => false,
  want: { rule: null, isOffered: false },
});
