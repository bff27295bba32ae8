/** Pure: one line per language on how programs, packages and tests are organised and run here. */
import type { Installed, Language } from './language.ts';
import { LANGUAGES } from './languages.ts';
import { languagesOf } from './languages-of.ts';

/** The notes for the system prompt, '' if nothing is known. Constant in a run. */
export const environmentNotes = (goal: string, installed: Installed): string =>
  languagesOf(goal, installed)
    .map((language) => notesOf(language, installed))
    .join('\n');

/** The same for languages that the goal is about and that cannot run here; others need no note. */
export const unrunnable = (goal: string, installed: Installed): readonly string[] =>
  languagesOf(goal, installed)
    .filter(({ runs }) => runs !== undefined && !runs.canRun(installed))
    .map((language) => notesOf(language, installed));

/** Packages that a project needs and lacks; its list of files contains no caches. */
export const missingPackages = (exists: (path: string) => boolean): readonly string[] =>
  LANGUAGES.flatMap(({ machine }) => {
    const { describedBy, folder } = machine?.packages ?? {};
    return describedBy && folder && exists(describedBy) && !exists(folder)
      ? `There is no ${folder} here.`
      : [];
  });

/** The note of a language that cannot run here names those that can. */
function notesOf(language: Language, installed: Installed): string {
  const { runs } = language;
  if (runs === undefined) return '';
  const others = runs.canRun(installed)
    ? []
    : LANGUAGES.flatMap((other) =>
        other !== language && other.runs?.canRun(installed) ? (other.runs.instead ?? []) : [],
      );
  return [runs.notes(installed), ...others].join(' ');
}
