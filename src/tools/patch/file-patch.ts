/** What a patch wants of one file, whichever form it is written in. */

export interface Hunk {
  /** Number of the first old line, from 1; `null`: the patch does not say. */
  readonly at: number | null;
  /** A line that stands somewhere above it; '' where the patch names none. */
  readonly under: string;
  /** Each begins with ` `, `-`, `+` or `\`. */
  readonly lines: readonly string[];
}

export interface FilePatch {
  readonly kind: 'add' | 'update' | 'delete';
  readonly path: string;
  /** Where it is moved. */
  readonly to?: string;
  /** Whether it may be run as a program from now on; left out: as it is. */
  readonly isExecutable?: boolean;
  readonly hunks: readonly Hunk[];
}

export type ParsedPatch =
  | { readonly kind: 'files'; readonly files: readonly FilePatch[] }
  | { readonly kind: 'fault'; readonly fault: string };

export const fault = (text: string): ParsedPatch => ({ kind: 'fault', fault: text });

/** Lines without their endings; a frame of Markdown around them is left out. */
export function patchLines(patch: string): readonly string[] {
  const lines = patch.split(/\r?\n/);
  const isFence = (line: string | undefined): boolean => /^\s*```/.test(line ?? '');
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0 || !isFence(lines[first])) return lines;
  const last = lines.findLastIndex((line) => isFence(line));
  return lines.slice(first + 1, last > first ? last : lines.length);
}

/** Several sections about one file are one. */
export function merged(files: readonly FilePatch[]): readonly FilePatch[] {
  const all: FilePatch[] = [];
  for (const file of files) {
    const index = all.findIndex((one) => one.path === file.path);
    const known = all[index];
    if (known?.kind === 'update' && file.kind === 'update')
      all[index] = { ...known, ...file, hunks: [...known.hunks, ...file.hunks] };
    else all.push(file);
  }
  return all;
}

const LONGEST_ANCHOR = 500;

/** The words behind `@@`, without those that close them. */
export const anchorIn = (words: string): string =>
  words.slice(0, LONGEST_ANCHOR).trim().replace(/@@$/, '').trim();
