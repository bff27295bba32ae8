/**
 * A failed check that says nothing against the work, so that nothing is mended for it: what failed
 * is only what a plan guessed, or what nobody could have known. Pure.
 */
import { isCodePath, LANGUAGES } from '../../languages/languages.ts';
import { printsText } from '../../probe/checks.ts';
import type { RunState } from '../../schema/state.ts';
import type { CommandFact } from '../../schema/state-parts/run-facts.ts';
import { PATIENCE } from '../step.ts';

/** In words for people; `null`: the failure is one. */
export function inconclusiveBecause(state: RunState, command: CommandFact): string | null {
  if (wasFed(state, command)) return 'it wanted more input than could be guessed';
  const isStated = mustPrint(state, command);
  if (command.shortfall === 'output' && !isStated)
    return 'what it was to print was only guessed by the plan';
  if (command.shortfall === 'usage' && isBare(command.cmd))
    return 'it wants arguments, and the plan gives it none';
  const isProgram = state.brief?.examples.some(({ input }) => input.how !== 'call') ?? false;
  const isModule = !isProgram && isBare(command.cmd) && runsModule(state, command);
  if (command.shortfall === 'silent' && !isStated && isModule)
    return 'a module prints nothing by itself';
  return null;
}

/** The same of the plan's proof, as it ran last. */
export function proofInconclusiveBecause(state: RunState): string | null {
  const { proof } = state.plan ?? {};
  const last = state.commands.findLast(({ cmd }) => cmd === proof?.cmd);
  return last && last.status !== 'ok' ? inconclusiveBecause(state, last) : null;
}

/** It read past all that it was given, as often as it was given something. */
function wasFed({ commands }: RunState, { cmd, stdin, asksForInput }: CommandFact): boolean {
  const fed = commands.filter((one) => one.cmd === cmd && one.stdin !== null);
  return asksForInput !== null && stdin !== null && fed.length >= PATIENCE.inputQuestions;
}

/** Nothing stands behind the program: `python coins.py`, `go run .`. */
const isBare = (cmd: string): boolean => {
  const last = cmd.trim().split(/\s+/).at(-1) ?? '';
  return isCodePath(last) || last === '.';
};

/** The goal says so, or a test runner prints it. */
const mustPrint = ({ goal }: RunState, { cmd, prints }: CommandFact): boolean =>
  LANGUAGES.some(({ runs }) => runs?.runsTests(cmd)) ||
  (prints !== undefined && printsText(goal, prints));

/**
 * The file it runs only defines what others call: one whose functions all want values. Of one that
 * has a function without any it is meant to be a program that forgot to call it.
 */
const runsModule = ({ files }: RunState, { cmd }: CommandFact): boolean =>
  Object.entries(files).some(
    ([path, { defines, prompts }]) =>
      cmd.split(/\s+/).includes(path) &&
      defines.length > 0 &&
      prompts.length === 0 &&
      !defines.some((signature) => /^\w+\(\s*\)$/.test(signature)),
  );
