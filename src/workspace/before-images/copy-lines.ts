/** Turns a record's file changes into lines of the index outside the workspace. */
import { defined } from '../../lib/defined.ts';
import type { FileChange } from '../../schema/actions.ts';
import { SCRATCH_ID } from '../../schema/evidence.ts';
import type {
  BeforeImageChange,
  BeforeImageLine,
} from '../../schema/journal/before-image-copies.ts';
import type { JournalRecord } from '../../schema/records.ts';
import { allFiles } from './all-files.ts';

const REPORTED: ReadonlySet<string> = new Set([
  ...['action_intended', 'action_finished', 'check_ran'],
  ...['files_kept', 'files_changed', 'file_restored'],
]);

/** False for records without file changes, which most are. */
export const leadsToChanges = ({ type }: JournalRecord): boolean => REPORTED.has(type);

/** The information from earlier lines. */
interface LinesBefore {
  /** Commands that began and have not ended. */
  readonly commands: ReadonlySet<string>;
  /** What each file holds since its last change. */
  readonly left: ReadonlyMap<string, string | null | undefined>;
}

interface Blobs {
  read(hash: string): Uint8Array;
}

export function copyLinesOf(
  record: JournalRecord,
  { commands, left }: LinesBefore,
  blobs: Blobs,
): readonly BeforeImageLine[] {
  switch (record.type) {
    case 'action_intended': {
      const isCommand = record.class === 'command' || record.class === 'check';
      // A command in a copy changes nothing here.
      const isHere = isCommand && !record.id.startsWith(SCRATCH_ID);
      const changes = record.files.flatMap(changeOf);
      return isHere ? [{ type: 'command_began', id: record.id }, ...changes] : changes;
    }
    case 'action_finished':
    case 'check_ran': {
      const { id } = record;
      return id != null && commands.has(id) ? [{ type: 'command_ended', id }] : [];
    }
    case 'files_kept':
      return [{ type: 'files_kept', manifest: record.manifest }];
    case 'files_changed': {
      const changes = allFiles(record, (hash) => blobs.read(hash)).flatMap(changeOf);
      return record.by !== 'unknown' ? changes : changes.map(({ after: _, ...change }) => change);
    }
    case 'file_restored': {
      const { path, hash, skipped } = record;
      const before = left.get(path);
      if (skipped !== '' || before === undefined) return [];
      return [{ type: 'change', path, before, after: hash }];
    }
    default:
      return [];
  }
}

const changeOf = ({
  path,
  before,
  after,
  mode,
  folder,
}: FileChange): readonly BeforeImageChange[] =>
  folder !== undefined || before === after
    ? []
    : [{ type: 'change', path, before, after, ...defined({ mode }) }];
