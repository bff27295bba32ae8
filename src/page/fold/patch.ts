/** A unified patch as lines to show. Pure. */
export interface PatchLine {
  readonly kind: 'same' | 'added' | 'removed' | 'hunk';
  readonly text: string;
  /** Numbers of the line before and after; 0: it is not there. */
  readonly before: number;
  readonly after: number;
}

/** What stands before the first hunk, such as names of files, is left out. */
export function linesOf(patch: string): readonly PatchLine[] {
  const lines: PatchLine[] = [];
  let before = 0;
  let after = 0;
  let isInHunk = false;
  for (const line of patch.split('\n')) {
    const [, from, to] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) ?? [];
    if (from !== undefined && to !== undefined) {
      before = Number(from);
      after = Number(to);
      isInHunk = true;
      lines.push({ kind: 'hunk', text: line, before: 0, after: 0 });
      continue;
    }
    if (!isInHunk || line === '') continue;
    const text = line.slice(1);
    if (line.startsWith('+')) lines.push({ kind: 'added', text, before: 0, after: after++ });
    else if (line.startsWith('-'))
      lines.push({ kind: 'removed', text, before: before++, after: 0 });
    else if (line.startsWith(' '))
      lines.push({ kind: 'same', text, before: before++, after: after++ });
  }
  return lines;
}
