/** Finds the files below a folder that need consent to be read. */
import { isCache } from '../languages/languages.ts';
import { walk } from '../workspace/walk.ts';
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

const MAX_ENTRIES = 20_000;
const MAX_HELD = 5;

/**
 * The first protected files that showing a whole folder would reveal: files that may hold secrets and files
 * that a rule restricts; absolute. If there are more entries than are examined, the folder itself is returned,
 * because it may contain some.
 */
export function protectedBelow(
  folder: string,
  at: PathOptions & { readonly layers: Layers },
  most = MAX_ENTRIES,
): readonly TouchedPath[] {
  const { fs, workspace, layers } = at;
  const fromRoot = { ...at, folder: undefined };
  const rules = readRulesOf(layers);
  const isHeld = (path: string): boolean =>
    protectedFile('read', path) !== null ||
    (rules.length > 0 &&
      rules.some((rule) =>
        pathSubject({ does: 'read', path }, fromRoot, true)?.needsApprovalBy(rule),
      ));
  const found: TouchedPath[] = [];
  let entries = 0;
  const start = folder === '.' ? '' : `${folder.replace(/\/+$/, '')}/`;
  for (const { path, info } of walk(fs, `${workspace}/${start}`, isCache, start)) {
    entries += 1;
    if (entries > most)
      return [...found, { does: 'read', path: `${workspace}/${start}`, isUnseen: true }];
    if (found.length >= MAX_HELD) break;
    if (info.kind === 'file' && isHeld(path))
      found.push({ does: 'read', path: `${workspace}/${path}` });
  }
  return found;
}
