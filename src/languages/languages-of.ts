/** Pure: the languages that a goal is about, judged only by the files and the languages that it names. */

import { namedFiles } from './files/named-files.ts';
import type { Installed, Language } from './language.ts';
import { LANGUAGES } from './languages.ts';

/** The languages that a goal names; if it names none for certain, the first one that runs here. */
export function languagesOf(goal: string, installed: Installed): readonly Language[] {
  const about = LANGUAGES.filter((language) => isAbout(goal, language));
  const certain = about.filter((language) => isNamedForCertain(goal, language));
  const usual = LANGUAGES.filter(({ runs }) => runs?.canRun(installed)).slice(0, 1);
  const base = certain.length > 0 ? certain : usual;
  return LANGUAGES.filter((language) => base.includes(language) || about.includes(language));
}

/** True for a goal that names the language, or a file of it. */
export const isAbout = (goal: string, language: Language): boolean =>
  isNamedForCertain(goal, language) ||
  (language.runs?.names.some((name) => name.length < 3 && isNamed(goal, name)) ?? false);

/** A name of two letters may be a word as well, so such a goal may be about another language, too. */
const isNamedForCertain = (goal: string, { runs, owns }: Language): boolean =>
  runs !== undefined &&
  (runs.names.some((name) => name.length > 2 && isNamed(goal.toLowerCase(), name)) ||
    namedFiles(goal, () => false).some(owns));

/**
 * True if the name stands as a word of its own. A capitalised name must not be the first word of a sentence,
 * which is capitalised anyway.
 */
function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(0, at);
    const after = text.slice(at + name.length);
    const isBounded = !/[\w.-]$/.test(before) && !/^[\w-]|^\.\w/.test(after);
    if (isBounded && (/^\p{Ll}/u.test(name) || !/(?:^|[.!?:\n])\s*$/.test(before))) return true;
  }
  return false;
}
