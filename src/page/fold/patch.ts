/** A unified patch as lines to show, in which nothing is hidden or reordered. Pure. */
import { visibleLine } from './visible.ts';

export interface PatchLine {
  readonly kind: 'same' | 'added' | 'removed' | 'hunk' | 'file';
  readonly text: string;
  /** Line numbers in the old and the new file; 0: the line is not in it. */
  readonly before: number;
  readonly after: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Files are named only if the patch has several. */
export function shownPatchLines(patch: string): readonly PatchLine[] {
  const lines: PatchLine[] = [];
  let before = { at: 0, left: 0 };
  let after = { at: 0, left: 0 };
  let removed = '';
  const add = (kind: PatchLine['kind'], text: string): void => {
    const isOld = kind === 'same' || kind === 'removed';
    const isNew = kind === 'same' || kind === 'added';
    lines.push({ kind, text, before: isOld ? before.at : 0, after: isNew ? after.at : 0 });
    if (isOld) before = { at: before.at + 1, left: before.left - 1 };
    if (isNew) after = { at: after.at + 1, left: after.left - 1 };
  };
  for (const line of patch.split('\n')) {
    const text = line.slice(1);
    if (before.left > 0 || after.left > 0) {
      if (line.startsWith('+')) add('added', text);
      else if (line.startsWith('-')) add('removed', text);
      else if (line.startsWith(' ')) add('same', text);
      else if (line.startsWith(CUT)) add('hunk', line);
      continue;
    }
    const [, from = '', olds = '1', to = '', news = '1'] = HUNK.exec(line) ?? [];
    if (from !== '') {
      before = { at: Number(from), left: Number(olds) };
      after = { at: Number(to), left: Number(news) };
      add('hunk', line);
    } else if (line.startsWith('--- ')) removed = line.slice(4);
    else if (line.startsWith('+++ '))
      add('file', line.endsWith(' /dev/null') ? removed : line.slice(4));
    else if (line.startsWith(CUT)) add('hunk', line);
  }
  const isOne = lines.filter(({ kind }) => kind === 'file').length < 2;
  return shown(isOne ? lines.filter(({ kind }) => kind !== 'file') : lines);
}

/** Shows the ends of lines where they change: such a change would look like no change. */
function shown(lines: readonly PatchLine[]): readonly PatchLine[] {
  const ends = lines.flatMap(({ kind, text }) =>
    kind === 'added' || kind === 'removed' ? [text.endsWith('\r')] : [],
  );
  const areEndsShown = new Set(ends).size > 1;
  return lines.map((line) => ({
    ...line,
    text: visibleLine(areEndsShown ? line.text : line.text.replace(/\r$/, '')),
  }));
}

/** Starts the line that says how much was left out. */
const CUT = '…';
