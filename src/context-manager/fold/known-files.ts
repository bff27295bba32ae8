// What an action tells of the files it saw or changed; pure.
import { own } from '../../lib/own.ts';
import type { FileFacts } from '../../schema/actions.ts';
import type { KnownFile } from '../../schema/run-facts.ts';
import type { RunState } from '../../schema/state.ts';
import type { Finished } from './finished.ts';

export function knownFiles(files: RunState['files'], record: Finished): RunState['files'] {
  const paths = Object.keys(record.hashes);
  if (paths.length === 0) return files;
  const looks = new Map((record.facts.files ?? []).map((facts) => [facts.path, facts]));
  const changed = paths.map((path): [string, KnownFile] => [
    path,
    knownFile(own(files, path), looks.get(path), record.hashes[path] ?? null, record),
  ]);
  return { ...files, ...Object.fromEntries(changed) };
}

function knownFile(
  known: KnownFile | undefined,
  look: FileFacts | undefined,
  hash: string | null,
  record: Finished,
): KnownFile {
  const isWrite = record.status === 'ok' && record.touches === 'files';
  return {
    hash,
    written: isWrite || (known?.written ?? false),
    ...(isOwn(known, hash, isWrite && record.facts.changed !== false) ? { isOwn: true } : {}),
    given: isWrite ? givenAfterWrite(known, hash, record) : givenAfterLook(known, hash),
    withheld: isWrite ? null : (record.facts.withheld ?? known?.withheld ?? null),
    problems: look?.problems ?? (isWrite ? [] : (known?.problems ?? [])),
    defines: look?.defines ?? (isWrite ? [] : (known?.defines ?? [])),
    prompts: look?.prompts ?? (isWrite ? [] : (known?.prompts ?? [])),
  };
}

const isOwn = (known: KnownFile | undefined, hash: string | null, isChange: boolean): boolean =>
  isChange || (known?.isOwn === true && known.hash === hash);

/**
 * A whole content leaves what it is measured by as it was, so that many small losses do not add up;
 * one that was insisted on is the new measure, and so is the text that an edit leaves.
 */
function givenAfterWrite(
  known: KnownFile | undefined,
  hash: string | null,
  { does, facts }: Finished,
): string | null {
  const wasThere = known ? known.given !== null : does === 'edits_files' || facts.changed === false;
  if (!wasThere) return null;
  const isNewMeasure = known === undefined || does !== 'writes_whole_files';
  return isNewMeasure || known.withheld === hash ? hash : known.given;
}

/** What somebody else made of a given file is given, too; what the run made stays its own. */
export const givenAfterLook = (
  known: KnownFile | undefined,
  hash: string | null,
): string | null => {
  if (known?.written && known.given === null) return null;
  return known && known.hash === hash ? known.given : hash;
};
