/** The files at a place of the workspace, for tools that search, without caches and ignored files. */

import { isSecretFile } from '../../languages/files/secret-files.ts';
import { isCache } from '../../languages/languages.ts';
import { firstOf } from '../../lib/text/shortened.ts';
import type { IgnoredFiles } from '../../workspace/git-ignored.ts';
import { walk } from '../../workspace/walk.ts';
import type { ToolContext } from '../contract.ts';
import type { LocatedPath } from './workspace-path.ts';

const MAX_ENTRIES = 100_000;

export interface FoundFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly size: number;
}

/** Counts what was skipped, for the end of a result. */
export class PassedOver {
  /** By path: files that would not have been read anyway are not counted. */
  readonly isWanted: (path: string) => boolean;
  ignored = 0;
  readonly secret: string[] = [];
  isCut = false;
  /** Patterns of `.gitignore` that were not applied. */
  unheeded = 0;

  constructor(isWanted: PassedOver['isWanted']) {
    this.isWanted = isWanted;
  }

  get notes(): readonly string[] {
    return [
      ...(this.secret.length > 0
        ? [`files that keep keys or passwords, left out: ${firstOf(this.secret, 5, ', and ')}`]
        : []),
      ...(this.unheeded > 0
        ? [`patterns of .gitignore not heeded, behind the first 1,000 of a file: ${this.unheeded}`]
        : []),
      ...(this.isCut ? ['there is more than could be looked at; name a folder of it'] : []),
    ];
  }
}

/** Entries in one go; each may be compared with a long `.gitignore`. */
const STRETCH = 10;

/**
 * In a stable order, with `null` where others should get a turn. A file or folder that is named is examined
 * even if it is ignored.
 */
export function* filesBelow(
  { info, relative, absolute }: LocatedPath,
  { fs, mayShow = (path) => !isSecretFile(path) }: ToolContext,
  ignored: IgnoredFiles,
  passed: PassedOver,
): Generator<FoundFile | null> {
  if (info?.kind === 'file') yield { path: relative, size: info.size };
  if (info?.kind !== 'directory') return;
  const isNamed = relative !== '.' && ignored.isIgnored(relative, true);
  let entries = 0;
  let looked = 0;
  const isLeftOut = ({ path, info: { kind } }: { path: string; info: { kind: string } }) => {
    const isOut = !isNamed && ignored.isIgnored(path, kind === 'directory');
    if (isOut) passed.ignored += 1;
    return isOut;
  };
  const prefix = relative === '.' ? '' : `${relative}/`;
  // Files are checked here, because a folder may contain any number of ignored ones.
  const isFolderOut: typeof isLeftOut = (one) => one.info.kind === 'directory' && isLeftOut(one);
  for (const { path, info: found } of walk(fs, absolute, isCache, prefix, isFolderOut)) {
    looked += 1;
    if (looked % STRETCH === 0) yield null;
    passed.unheeded = ignored.unheeded();
    if (found.kind !== 'directory' && isLeftOut({ path, info: found })) continue;
    entries += 1;
    if (entries > MAX_ENTRIES) {
      passed.isCut = true;
      return;
    }
    if (found.kind !== 'file') continue;
    if (mayShow(path)) yield { path, size: found.size };
    else if (passed.isWanted(path)) passed.secret.push(path);
  }
}
