/** The goal's own examples that can be tried on what a run has written. Pure. */
import type { Installed } from '../languages/language.ts';
import { isTestPath, LANGUAGES, languageOf } from '../languages/languages.ts';
import { type GoalExample, goalExamples } from '../probe/goal-examples.ts';
import { type SaidCommand, saidCommands } from '../probe/said-commands.ts';
import type { KnownFile } from '../schema/run-facts.ts';
import type { RunState } from '../schema/state.ts';
import { isLastSubtask } from './select.ts';

/** Whether a file can be run does not depend on what is installed, only how. */
const NOTHING: Installed = new Set();

export interface DueExample {
  readonly example: GoalExample | SaidCommand;
  /** The file that offers the function, or the program that is to be fed or called. */
  readonly file: string;
  /** Of a program that is called as the goal says. */
  readonly cmd?: string;
}

/** With the last subtask: before, what an example needs may not be there yet. */
export function dueExamples(state: RunState): readonly DueExample[] {
  if (!isLastSubtask(state)) return [];
  const tried = goalExamples(state.goal).flatMap((example) => {
    const file = example.kind === 'call' ? offering(state, example.name) : askingOnce(state);
    return file === null ? [] : [{ example, file }];
  });
  return [...tried, ...saidCommands(state.goal).flatMap((said) => called(state, said))];
}

/** The longest end of the words that runs a file which is there. */
function called(state: RunState, example: SaidCommand): readonly DueExample[] {
  for (const at of example.words.keys()) {
    const words = example.words.slice(at);
    const files = LANGUAGES.flatMap(({ runs }) => runs?.filesRunBy?.(words) ?? []);
    const file = files.find((path) => (state.files[path]?.hash ?? null) !== null);
    if (file === undefined || isTestPath(file) || words.some((word) => STANDS_FOR.test(word)))
      continue;
    const cmd = words.join(' ');
    const says = example.says.slice(example.says.indexOf(cmd));
    return [{ example: { ...example, says }, file, cmd }];
  }
  return [];
}

/** `N`, `FILE`, `...`, `<name>`: something else is to be put there. */
const STANDS_FOR = /^(?:\.{2,}|…|[A-Z][A-Z_]*|[<[{].*[>\]}])$/;

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
