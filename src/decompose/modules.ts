/** Files that only define: what they are for is seen by what calls them, and not by running them. Pure. */

import { languageOf } from '../languages/languages.ts';
import { isWholeWrite } from '../schema/doing.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan } from './plan-schema.ts';
import { normalPath } from './planned-work.ts';

/** `area(width, height)` with names alone; what a program calls on its way is left out. */
const SIGNATURE =
  /(?<![\w.$])(?!(?:main|print|input|log|prompt|run)\()[A-Za-z_$][\w$]*\((?:[\w$ ,*=.:]*)\)/;
/** A purpose that says what a user sees is that of a program. */
const SEEN =
  /\b(?:prints?|asks?|shows?|displays?|outputs?|logs?|says?|runs?|reads?|writes?|main)\b/i;

/** A goal for something that is called, and not run. */
const CALLED =
  /\b(?:functions?|class(?:es)?|methods?|modules?|librar(?:y|ies)|packages?|exports?)\b/i;

/**
 * True for one that is there and holds definitions alone, or whose planned purpose names what it
 * defines and nothing that a user would see, for a goal that wants just that.
 */
export function isModule(file: string, proposed: ProposedPlan, context: PlanContext): boolean {
  const language = languageOf(file);
  if (language.marksPackage?.(file)) return true;
  const planned = subtasksOf(proposed).find(
    (one) => isWholeWrite(one) && normalPath(one.target) === file,
  );
  if (planned)
    return (
      (CALLED.test(context.goal) || SIGNATURE.test(context.goal)) &&
      SIGNATURE.test(planned.purpose) &&
      !SEEN.test(planned.purpose)
    );
  return language.onlyDefines?.(context.readText(file) ?? '') ?? false;
}
