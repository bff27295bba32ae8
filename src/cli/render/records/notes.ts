import type { ActionFacts, FileChange } from '../../../schema/actions.ts';
import type { Stamped } from '../../../schema/records.ts';
import type { Glyphs } from '../text/style.ts';
import { count, oneLine } from '../text/text.ts';

/** Pure: what the work on a subtask has produced, one line per file and command. */
export type WorkNote =
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly added: number;
      readonly removed: number;
      /** `removed`, or `from a.txt`; left out for any other change. */
      readonly became?: string;
    }
  | { readonly kind: 'run'; readonly cmd: string; readonly isGood: boolean; readonly tests: Tests };

export type Tests = ActionFacts['tests'];

/** By the id of the subtask. */
export type Notes = { readonly [subtask: string]: readonly WorkNote[] };

type Intended = Extract<Stamped, { type: 'action_intended' }>;
type Finished = Extract<Stamped, { type: 'action_finished' }>;

/** @param intended the action before it ran; left out if unknown */
export function notesAfter(notes: Notes, intended: Intended | undefined, done: Finished): Notes {
  if (intended === undefined) return notes;
  const key = done.id.split('#', 1)[0] ?? '';
  const found = notes[key] ?? [];
  if (intended.class === 'command') {
    const isSaid = done.status === 'ok' || done.status === 'error' || done.status === 'timeout';
    const cmd = String(intended.args.cmd ?? done.target ?? '');
    const note: WorkNote = {
      kind: 'run',
      cmd,
      isGood: done.status === 'ok',
      tests: done.facts.tests,
    };
    return isSaid ? { ...notes, [key]: [...without(found, cmd), note] } : notes;
  }
  if (done.status !== 'ok') return notes;
  const now: { [subtask: string]: readonly WorkNote[] } = { ...notes };
  for (const file of shownFiles(intended.files)) {
    const at = placeOf(now, file.path) ?? key;
    now[at] = withFile(now[at] ?? [], file);
  }
  return now;
}

/** A file that changes again keeps its first line. */
const placeOf = (notes: Notes, path: string): string | undefined =>
  Object.keys(notes).find((key) =>
    notes[key]?.some((note) => note.kind === 'file' && note.path === path),
  );

/** A command that runs again shows only its last outcome. */
const without = (notes: readonly WorkNote[], cmd: string): readonly WorkNote[] =>
  notes.filter((note) => note.kind !== 'run' || note.cmd !== cmd);

/** Files that a call changed; a moved file is listed only at its new place. */
export const shownFiles = (files: readonly FileChange[]): readonly FileChange[] =>
  files.filter(
    ({ path, before, after }) =>
      before !== after && !(after === null && files.some(({ from }) => from === path)),
  );

/** `removed`, or `from a.txt`; '' for any other change. */
export const becameText = ({ after, from }: FileChange): string =>
  after === null ? 'removed' : from === undefined ? '' : `from ${oneLine(from)}`;

function withFile(notes: readonly WorkNote[], file: FileChange): readonly WorkNote[] {
  const { path, lines = { added: 0, removed: 0 } } = file;
  const known = notes.find((note) => note.kind === 'file' && note.path === path);
  const before = known?.kind === 'file' ? known : { added: 0, removed: 0 };
  const note: WorkNote = {
    kind: 'file',
    path,
    added: before.added + lines.added,
    removed: before.removed + lines.removed,
    ...(becameText(file) === '' ? {} : { became: becameText(file) }),
  };
  return known === undefined ? [...notes, note] : notes.map((one) => (one === known ? note : one));
}

/** `+18 −2`; '' if nothing was counted. */
export function lineCountText(
  { added, removed }: { readonly added: number; readonly removed: number },
  glyphs: Glyphs,
): string {
  const parts = [
    ...(added > 0 ? [`+${count(added)}`] : []),
    ...(removed > 0 ? [`${glyphs.minus}${count(removed)}`] : []),
  ];
  return parts.join(' ');
}

/** `2 passed`, `1 of 2 failed`; '' if nothing was counted. */
export function testsText(tests: Tests): string {
  if (tests === undefined) return '';
  const { failed, passed } = tests;
  if (failed === 0) return passed === null || passed === 0 ? '' : `${count(passed)} passed`;
  return passed === null
    ? `${count(failed)} failed`
    : `${count(failed)} of ${count(failed + passed)} failed`;
}

/** The same with the first failed test: `1 of 2 failed · test_add: -1 == 3`. */
export function testSummary(tests: Tests, glyphs: Glyphs): string {
  const first = tests?.first === undefined ? '' : oneLine(tests.first);
  return [testsText(tests), first].filter(Boolean).join(` ${glyphs.dot} `);
}
