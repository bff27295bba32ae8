/** The files at a place of the workspace for tools that look for something, caches and ignored ones apart. */
import { isCache } from '../languages/languages.ts';
import { isSecretFile } from '../languages/secret-files.ts';
import type { IgnoredFiles } from '../workspace/git-ignored.ts';
import { walk } from '../workspace/walk.ts';
import type { ToolContext } from './contract.ts';
import type { Place } from './workspace-path.ts';

const MAX_ENTRIES = 100_000;

export interface FoundFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly size: number;
}

/** What was passed over, for the end of a result. */
export class PassedOver {
  ignored = 0;
  secret = 0;
  isCut = false;

  get notes(): readonly string[] {
    return [
      ...(this.secret > 0 ? [`files that keep keys or passwords, left out: ${this.secret}`] : []),
      ...(this.isCut ? ['there is more than could be looked at; name a folder of it'] : []),
    ];
  }
}

/** In a stable order. A file or folder that is named is looked at even where it is ignored. */
export function* filesBelow(
  { info, relative, absolute }: Place,
  { fs, mayShow = (path) => !isSecretFile(path) }: ToolContext,
  ignored: IgnoredFiles,
  passed: PassedOver,
): Generator<FoundFile> {
  if (info?.kind === 'file') yield { path: relative, size: info.size };
  if (info?.kind !== 'directory') return;
  const isNamed = relative !== '.' && ignored.isIgnored(relative, true);
  let entries = 0;
  const isLeftOut = ({ path, info: { kind } }: { path: string; info: { kind: string } }) => {
    const isOut = !isNamed && ignored.isIgnored(path, kind === 'directory');
    if (isOut) passed.ignored += 1;
    return isOut;
  };
  const prefix = relative === '.' ? '' : `${relative}/`;
  for (const { path, info: found } of walk(fs, absolute, isCache, prefix, isLeftOut)) {
    entries += 1;
    if (entries > MAX_ENTRIES) {
      passed.isCut = true;
      return;
    }
    if (found.kind !== 'file') continue;
    if (!mayShow(path)) passed.secret += 1;
    else yield { path, size: found.size };
  }
}
