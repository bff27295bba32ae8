/** Recovers changes of files from a damaged part of a journal. Pure. */
import type { Salvaged } from '../journal/repair/salvage.ts';
import { jsonIn } from '../lib/json-value.ts';
import { FileChange } from '../schema/actions.ts';
import type { JournalRecord } from '../schema/records.ts';

/** Changes that only a damaged line mentions. */
interface Remnant {
  readonly type: 'remnant';
  readonly files: readonly FileChange[];
}

/** Files that only the damaged line of an outcome names. */
interface Trace {
  readonly type: 'trace';
  readonly paths: readonly string[];
}

export type UndoRecord = JournalRecord | Remnant | Trace;

/** The file changes in a line, whether or not it is still a record. */
export function changesIn(part: Salvaged<JournalRecord>): readonly FileChange[] {
  const changes = part.kind === 'line' ? changesInText(part.text) : changesOf(part.record);
  return changes.filter(({ before, after }) => before !== after);
}

function changesOf(record: JournalRecord): readonly FileChange[] {
  if (record.type === 'action_intended') return record.files;
  return record.type === 'files_changed' && record.by !== 'unknown' ? record.files : [];
}

const START = '{"path":"';
/** The most characters of a change, which is a path, two hashes and little more. */
const LONGEST = 8_192;
const MAX = 1_000;

/**
 * Inside a string every quote is escaped, so text that begins like a change is one. Path and hashes are
 * verified where they are used: the file has one hash, and a blob the other.
 */
function changesInText(text: string): readonly FileChange[] {
  const found: FileChange[] = [];
  for (let at = text.indexOf(START); at >= 0; at = text.indexOf(START, at + 1)) {
    const change = changeAt(text, at);
    if (change !== null) found.push(change);
    if (found.length === MAX) break;
  }
  return found;
}

function changeAt(text: string, start: number): FileChange | null {
  const end = Math.min(text.length, start + LONGEST);
  for (let at = text.indexOf('}', start); at >= 0 && at < end; at = text.indexOf('}', at + 1)) {
    const value = jsonIn(text.slice(start, at + 1));
    // Otherwise that brace was inside a string.
    if (value !== undefined) return FileChange.safeParse(value).data ?? null;
  }
  return null;
}
