/** Finds the code of a run that its proof must notice, each file by itself. Pure. */
import { belongsToTests, isCodeByName, isDocument, languageOf } from '../languages/languages.ts';
import { plannedFiles } from '../schema/plan.ts';
import { alterationsOf, type PlacedAlteration } from './alterable.ts';
import { type ChangedFile, type RunWork, textBefore, type WorkPort } from './work.ts';

export interface NoticeableCode {
  readonly path: string;
  /** The file did not exist before the run. */
  readonly isNew: boolean;
  /** The bodies of the file's functions can be emptied. */
  readonly canBeEmptied: boolean;
  /** Alterations of the new lines, if the file existed before. */
  readonly alterations: readonly PlacedAlteration[];
}

/** The most files that are tried, because each costs a run of the proof. */
const MAX_FILES = 6;

/**
 * The code that the model wrote itself, or changed by a command where the goal or the plan names it. What else
 * commands changed, a formatter may have. Empty if the run changed at most one file: then only that file can be
 * why the proof passes.
 * @param changed the changed files without outputs of a build
 * @param isNamed true for a file that the goal names
 */
export function noticeableIn(
  run: WorkPort,
  work: RunWork,
  changed: readonly ChangedFile[],
  isNamed: (path: string) => boolean,
): readonly NoticeableCode[] {
  const { files, plan } = run.context.state;
  const planned = plannedFiles(plan);
  const isMeant = (path: string): boolean =>
    files[path]?.written === true || isNamed(path) || planned.includes(path);
  const decides = work.changed.filter(
    ({ path, before, after }) => before !== after && !belongsToTests(path) && !isDocument(path),
  );
  const code = changed.filter(
    ({ path, after }) =>
      after !== null && isMeant(path) && isCodeByName(path) && !belongsToTests(path),
  );
  if (decides.length < 2) return [];
  return code
    .filter(({ path }) => runsOtherwise(path, run, work))
    .flatMap(({ path, before }) => {
      const alterations = before === null ? [] : alterationsOf(path, run, work);
      const canBeEmptied = languageOf(path).emptied !== undefined;
      return alterations === null
        ? []
        : [{ path, isNew: before === null, canBeEmptied, alterations }];
    })
    .slice(0, MAX_FILES);
}

/** False for a file whose change no run can notice, as it is surely one of types alone. */
function runsOtherwise(path: string, run: WorkPort, work: RunWork): boolean {
  const { onlyDeclares, runsAlike } = languageOf(path);
  if (onlyDeclares?.(path) === true) return false;
  const [before, after] = [textBefore(path, run, work) ?? '', run.world.readText(path)];
  return after === null || runsAlike?.(before, after) !== true;
}
