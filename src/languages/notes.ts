/** Pure: one line a language on how programs, packages and tests are laid out and run here. */
import type { Installed, Language } from './language.ts';
import { LANGUAGES } from './languages.ts';
import { languagesOf } from './languages-of.ts';

/** The notes for the system prompt, '' where nothing is known. Constant in a run. */
export const environmentNotes = (goal: string, installed: Installed): string =>
  languagesOf(goal, installed)
    .map((language) => notesOf(language, installed))
    .join('\n');

/** The same of languages that the goal is about and that cannot be run here; others need no word. */
export const unrunnable = (goal: string, installed: Installed): readonly string[] =>
  languagesOf(goal, installed)
    .filter(({ runs }) => runs !== undefined && !runs.canRun(installed))
    .map((language) => notesOf(language, installed));

/** What a project needs and has not; caches are in no list of its files. */
export const withoutPackages = (exists: (path: string) => boolean): readonly string[] =>
  LANGUAGES.flatMap(({ machine }) => {
    const { describedBy, folder } = machine?.packages ?? {};
    return describedBy && folder && exists(describedBy) && !exists(folder)
      ? `There is no ${folder} here.`
      : [];
  });

/** A language that cannot be run here names those that can. */
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
