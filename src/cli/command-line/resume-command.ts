import { wordsFor } from '../../options/read.ts';
import { commandToPaste, type TypedAt } from '../process/program-name.ts';
import type { Invocation } from './invocation.ts';

type ResumeWords = Partial<Omit<Invocation, 'workspace'>> & {
  readonly otherRun?: number | null;
};

/**
 * The shortest correct command that continues this run.
 *
 * @param hasModel the run keeps its model, which need not be repeated
 */
export function resumeCommand(words: ResumeWords, at: TypedAt, hasModel = false): string {
  const { workspaceOption = null, otherRun = null } = words;
  const repeated = { ...words, workspace: workspaceOption ?? undefined };
  return commandToPaste(at, [
    'resume',
    ...(otherRun === null ? [] : [String(otherRun)]),
    ...wordsFor(
      repeated,
      ({ isRepeated = false, isKept = false }) => isRepeated && !(hasModel && isKept),
    ),
  ]);
}

/** The folder as it was typed. */
export const inPlace = ({ workspaceOption }: Pick<Invocation, 'workspaceOption'>) =>
  workspaceOption === null ? [] : ['--workspace', workspaceOption];

/** A command about the same work: its number and its folder as they were typed. */
export const sameWorkCommand = (
  verb: string,
  { runNumber, ...where }: Pick<Invocation, 'runNumber' | 'workspaceOption'>,
  at: TypedAt,
): string =>
  commandToPaste(at, [verb, ...(runNumber === null ? [] : [String(runNumber)]), ...inPlace(where)]);

/** The command that says yes to one call, the first if there are several; `approve` lists the others. */
export function approveCallCommand(
  where: Pick<Invocation, 'workspaceOption'>,
  ids: readonly string[],
  at: TypedAt,
): string {
  const [id, ...others] = ids;
  return commandToPaste(at, [
    'approve',
    ...(id === undefined || others.length > 0 ? [] : [id.slice(0, 8)]),
    ...inPlace(where),
  ]);
}
