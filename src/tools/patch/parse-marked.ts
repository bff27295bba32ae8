/** Parses the format that begins with `*** Begin Patch`. Pure. */
import {
  anchorIn,
  type FilePatch,
  fault,
  mergedPatches,
  type ParsedPatch,
  type PatchHunk,
} from './file-patch.ts';

export const isMarked = (lines: readonly string[]): boolean =>
  lines.some((line) => /^\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File: )/.test(line));

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
const END = /^\*\*\* End Patch\s*$/;
const KINDS = { Add: 'add', Update: 'update', Delete: 'delete' } as const;

export function parseMarked(lines: readonly string[]): ParsedPatch {
  const files: FilePatch[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (END.test(line)) break;
    const [, kind, path] = FILE.exec(line) ?? [];
    at += 1;
    if (kind === undefined || path === undefined) continue;
    const body: string[] = [];
    for (; at < lines.length && !FILE.test(lines[at] ?? '') && !END.test(lines[at] ?? ''); at += 1)
      body.push(lines[at] ?? '');
    const [, to] = MOVE.exec(body[0] ?? '') ?? [];
    const hunks = hunksIn(to === undefined ? body : body.slice(1));
    if (typeof hunks === 'string') return fault(`${path.trim()}: ${hunks}`);
    const target = to === undefined ? {} : { to: to.trim() };
    files.push({ kind: KINDS[kind as keyof typeof KINDS], path: path.trim(), ...target, hunks });
  }
  return { kind: 'files', files: mergedPatches(files) };
}

/** The hunks of one file, or a message about what cannot be parsed. */
function hunksIn(body: readonly string[]): readonly PatchHunk[] | string {
  const hunks: { under: string; lines: string[] }[] = [];
  const last = body.findLastIndex((line) => line !== '');
  for (const [index, line] of body.entries()) {
    if (/^\*\*\* End of File\s*$/.test(line)) continue;
    if (line.startsWith('@@')) {
      hunks.push({ under: anchorIn(line.slice(2)), lines: [] });
      continue;
    }
    if (index > last) break;
    if (line !== '' && !/^[ +-]/.test(line))
      return `each line begins with a space, + or -, and this one does not: ${line.slice(0, 80)}`;
    if (hunks.length === 0) hunks.push({ under: '', lines: [] });
    hunks.at(-1)?.lines.push(line === '' ? ' ' : line);
  }
  return hunks.filter((hunk) => hunk.lines.length > 0).map((hunk) => ({ at: null, ...hunk }));
}
