/** Finds the files below a folder that need consent to be read. */
import { isCache } from '../languages/languages.ts';
import { isInside, pathsOf } from '../lib/files/absolute-paths.ts';
import { orNull } from '../lib/or-null.ts';
import { isStateFolder } from '../workspace/path-rules.ts';
import { walkExcept } from '../workspace/walk.ts';
import type { TouchedPath } from './command/contract.ts';
import { protectedFile } from './files.ts';
import type { Layers } from './layers.ts';
import { type PathOptions, pathSubject } from './paths.ts';
import type { Rule } from './rules/rule.ts';

/** The rules that restrict the reading of files. */
export const readRulesOf = ({ project, user }: Layers): readonly Rule[] =>
  [...project.ask, ...project.deny, ...user.ask, ...user.deny].filter(
    ({ pattern }) => pattern.kind === 'path' && pattern.does === 'read',
  );

interface Look {
  readonly most?: number;
  /** True if the program also reads the targets of links below the folder. */
  readonly followsLinks?: boolean;
  /** True if the program is started so that it leaves out files that need consent without any rule. */
  readonly leavesOut?: boolean;
}

const MAX_ENTRIES = 20_000;
const MAX_HELD = 5;

/**
 * The first protected files that showing a whole folder would reveal: files that may hold secrets and files
 * that a rule restricts; absolute. If there are more entries than are examined, or links that lead a program
 * which follows them to others, the folder itself is returned, because it may contain some. The folders of
 * git and of runs are left out when the program starts. Only rules can restrict files in caches.
 */
export function protectedBelow(
  written: string,
  at: PathOptions & { readonly layers: Layers },
  { most = MAX_ENTRIES, followsLinks = false, leavesOut = false }: Look = {},
): readonly TouchedPath[] {
  const { fs, workspace, layers } = at;
  // The target of a link may have a name that needs consent, such as `.git`.
  const folder = realFolder(written, at) ?? written;
  const fromRoot = { ...at, folder: undefined };
  const rules = readRulesOf(layers);
  const isLeftOut = leavesOut && !followsLinks && folder === written;
  if (isLeftOut && rules.length === 0) return [];
  const isHeld = (path: string): boolean =>
    (!isLeftOut && protectedFile('read', path) !== null) ||
    (rules.length > 0 &&
      rules.some((rule) =>
        pathSubject({ does: 'read', path }, fromRoot, true)?.needsApprovalBy(rule),
      ));
  const found: TouchedPath[] = [];
  let entries = 0;
  const start = folder === '.' ? '' : `${folder.replace(/\/+$/, '')}/`;
  const isSkipped = (name: string): boolean =>
    name === '.git' || isStateFolder(name) || (rules.length === 0 && isCache(name));
  const root = `${workspace}/${start}`;
  for (const { path, info } of walkExcept(fs, root, isSkipped, start)) {
    entries += 1;
    const isLink = followsLinks && info.kind === 'symlink';
    if (entries > most || (isLink && leadsAway(`${workspace}/${path}`, { fs, root, isSkipped })))
      return [...found, { does: 'read', path: root, isUnseen: true }];
    if (found.length >= MAX_HELD) break;
    if (info.kind === 'file' && isHeld(path))
      found.push({ does: 'read', path: `${workspace}/${path}` });
  }
  return found;
}

function realFolder(written: string, { fs, workspace }: PathOptions): string | null {
  const { resolve, relative, sep } = pathsOf(fs.platform);
  const absolute = resolve(workspace, written);
  const real = orNull(() => fs.realpath(absolute)) ?? absolute;
  if (real === absolute || !isInside(workspace, real, fs.platform)) return null;
  return relative(workspace, real).split(sep).join('/') || '.';
}

/** False if the link leads nowhere, or to a place that is examined anyway. */
function leadsAway(
  link: string,
  walked: Pick<PathOptions, 'fs'> & { readonly root: string; isSkipped(name: string): boolean },
): boolean {
  const { fs, root, isSkipped } = walked;
  try {
    const [folder, target] = [fs.realpath(root), fs.realpath(link)];
    if (!isInside(folder, target, fs.platform)) return true;
    const { relative, sep } = pathsOf(fs.platform);
    return relative(folder, target).split(sep).some(isSkipped);
  } catch {
    return false;
  }
}
