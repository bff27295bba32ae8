/** The goal's own examples that can be tried on what a run has written. Pure. */
import type { Installed } from '../languages/language.ts';
import { isTestPath, languageOf } from '../languages/languages.ts';
import { type GoalExample, goalExamples } from '../probe/goal-examples.ts';
import type { KnownFile } from '../schema/run-facts.ts';
import type { RunState } from '../schema/state.ts';
import { isLastSubtask } from './select.ts';

/** Whether a file can be run does not depend on what is installed, only how. */
const NOTHING: Installed = new Set();

export interface DueExample {
  readonly example: GoalExample;
  /** The file that offers the function, or the program that is to be fed. */
  readonly file: string;
}

/** With the last subtask: before, what an example needs may not be there yet. */
export function dueExamples(state: RunState): readonly DueExample[] {
  if (!isLastSubtask(state)) return [];
  return goalExamples(state.goal).flatMap((example) => {
    const file = example.kind === 'call' ? offering(state, example.name) : askingOnce(state);
    return file === null ? [] : [{ example, file }];
  });
}

/** The only file that offers it: of two it would not be known which one is meant. */
function offering(state: RunState, name: string): string | null {
  return onlyOne(
    state,
    (path, { defines }) =>
      defines.some((signature) => signature.startsWith(`${name}(`)) &&
      languageOf(path).runs?.evaluates?.(path) != null,
  );
}

const askingOnce = (state: RunState): string | null =>
  onlyOne(
    state,
    (path, { prompts, written }) =>
      written && prompts.length === 1 && languageOf(path).runs?.run(path, NOTHING) != null,
  );

function onlyOne(
  { files }: RunState,
  fits: (path: string, known: KnownFile) => boolean,
): string | null {
  const found = Object.entries(files).filter(
    ([path, known]) => known.hash !== null && !isTestPath(path) && fits(path, known),
  );
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}
