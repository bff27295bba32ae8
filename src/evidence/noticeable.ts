/** Finds the code of a run that its proof must notice, each file by itself. Pure. */
import { belongsToTests, isCodeByName, isDocument, languageOf } from '../languages/languages.ts';
import { alterationsOf, type PlacedAlteration } from './alterable.ts';
import type { ChangedFile, RunWork, WorkPort } from './work.ts';

export interface NoticeableCode {
  readonly path: string;
  /** It was not there before the run. */
  readonly isNew: boolean;
  /** The bodies of its functions can be emptied. */
  readonly canBeEmptied: boolean;
  /** Of the new lines of a file that was there. */
  readonly alterations: readonly PlacedAlteration[];
}

/** More files are not asked about: each is a run of the proof. */
const MAX_FILES = 6;

/**
 * What the model wrote itself, and is still there. Where the run changed nothing else, that alone is why the proof passes.
 * @param changed without what a build made
 */
export function noticeableIn(
  run: WorkPort,
  work: RunWork,
  changed: readonly ChangedFile[],
): readonly NoticeableCode[] {
  const isWritten = (path: string): boolean => run.context.state.files[path]?.written === true;
  const decides = work.changed.filter(
    ({ path, before, after }) => before !== after && !belongsToTests(path) && !isDocument(path),
  );
  const code = changed.filter(
    ({ path, after }) =>
      after !== null && isWritten(path) && isCodeByName(path) && !belongsToTests(path),
  );
  if (decides.length < 2) return [];
  return code
    .filter(({ path }) => languageOf(path).onlyDeclares?.(path) !== true)
    .flatMap(({ path, before }) => {
      const alterations = before === null ? [] : alterationsOf(path, run, work);
      const canBeEmptied = languageOf(path).emptied !== undefined;
      return alterations === null
        ? []
        : [{ path, isNew: before === null, canBeEmptied, alterations }];
    })
    .slice(0, MAX_FILES);
}
