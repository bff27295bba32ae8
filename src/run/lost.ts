/** What files that were there have lost because the model insisted on it. */
import type { Lost } from '../schema/lost.ts';
import type { JournalRecord } from '../schema/records.ts';
import { lossesOf } from '../tools/losses.ts';
import { decodeText } from '../workspace/text-encoding.ts';

export interface LostDeps {
  /** What is in a file now; `null`: there is none. */
  readText(path: string): string | null;
  /** What a file held before a write, by its hash; `null`: nobody kept it. */
  readBlob(hash: string): Uint8Array | null;
}

/** As it is at the end: what a later write brought back is not lost. */
export function lostIn(records: Iterable<JournalRecord>, deps: LostDeps): readonly Lost[] {
  const insisted = new Map<string, string>();
  for (const record of records)
    if (record.type === 'action_intended')
      for (const { path, before, drops } of record.files)
        if (drops !== undefined && before !== null && !insisted.has(path))
          insisted.set(path, before);
  return [...insisted].flatMap(([path, before]) => {
    const drops = lossNow(path, before, deps);
    return drops === null ? [] : [{ path, drops }];
  });
}

function lossNow(path: string, before: string, deps: LostDeps): string | null {
  const bytes = deps.readBlob(before);
  const was = bytes === null ? null : decodeText(bytes);
  return was?.kind === 'text' ? lossesOf(path, was.text, deps.readText(path) ?? '') : null;
}
