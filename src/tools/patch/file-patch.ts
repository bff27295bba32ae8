/** The change that a patch makes to one file, in a form independent of the patch format. */

export interface PatchHunk {
  /** The number of the first old line, from 1; `null`: the patch does not say. */
  readonly at: number | null;
  /** A line that occurs somewhere above it; empty if the patch names none. */
  readonly under: string;
  /** Each begins with ` `, `-`, `+` or `\`. */
  readonly lines: readonly string[];
}

export interface FilePatch {
  readonly kind: 'add' | 'update' | 'delete';
  readonly path: string;
  /** The new path of a moved file. */
  readonly to?: string;
  /** Whether the file becomes executable; left out: unchanged. */
  readonly isExecutable?: boolean;
  readonly hunks: readonly PatchHunk[];
}

export type ParsedPatch =
  | { readonly kind: 'files'; readonly files: readonly FilePatch[] }
  | { readonly kind: 'fault'; readonly fault: string };

export const fault = (text: string): ParsedPatch => ({ kind: 'fault', fault: text });

/** Lines without their endings, and without a surrounding Markdown code fence. */
export function patchLines(patch: string): readonly string[] {
  const lines = patch.split(/\r?\n/);
  const isFence = (line: string | undefined): boolean => /^\s*```/.test(line ?? '');
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0 || !isFence(lines[first])) return lines;
  const last = lines.findLastIndex((line) => isFence(line));
  return lines.slice(first + 1, last > first ? last : lines.length);
}

/** Merges several sections about one file. */
export function mergedPatches(files: readonly FilePatch[]): readonly FilePatch[] {
  const all: { file: FilePatch; readonly hunks: PatchHunk[] }[] = [];
  const first = new Map<string, (typeof all)[number]>();
  for (const file of files) {
    const known = first.get(file.path);
    if (known?.file.kind === 'update' && file.kind === 'update') {
      known.file = { ...known.file, ...file };
      for (const hunk of file.hunks) known.hunks.push(hunk);
      continue;
    }
    const one = { file, hunks: [...file.hunks] };
    all.push(one);
    if (known === undefined) first.set(file.path, one);
  }
  return all.map(({ file, hunks }) => ({ ...file, hunks }));
}

const LONGEST_ANCHOR = 500;

/** The words after `@@`, without a closing `@@`. */
export const anchorIn = (words: string): string =>
  words.slice(0, LONGEST_ANCHOR).trim().replace(/@@$/, '').trim();
