/** Scripts whose whole output follows from the goal. */
import type { Task } from '../generator.ts';
import { firstOf, printed, sameLines } from '../look.ts';
import { printer, type Target } from '../programs-made.ts';

export function printedTask(
  goal: string,
  { language, path, candidates }: Target,
  lines: readonly string[],
  wrong: readonly (readonly string[])[],
): Task {
  return {
    goal,
    judge: (evidence) =>
      firstOf(candidates(evidence), (one) =>
        printed(evidence, one, {}, (text) => sameLines(text, lines)),
      ),
    good: { files: { [path]: printer(language, lines) } },
    bad: wrong.map((wrongLines) => ({ files: { [path]: printer(language, wrongLines) } })),
  };
}
