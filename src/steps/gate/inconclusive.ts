/**
 * Recognises failed checks that are no evidence against the work, because the failure comes only from something
 * nobody could know. Nothing is repaired for them. Pure.
 */
import { own } from '../../lib/own.ts';
import type { RunState } from '../../schema/state.ts';
import type { CommandFact } from '../../schema/state-parts/run-facts.ts';
import { PATIENCE } from '../step.ts';

/** The reason for people; `null`: the failure counts. */
export function inconclusiveBecause(state: RunState, command: CommandFact): string | null {
  if (wasFed(state, command)) return 'it wanted more input than could be guessed';
  const { exitCode, cmd } = command;
  if (exitCode === USAGE && isOwnAlone(state, cmd))
    return 'it wants arguments, and the plan gives it none';
  return null;
}

/** The usual exit code of programs that lack arguments. */
export const USAGE = 2;

/** Applies the same test to the latest run of the plan's proof. */
export function proofInconclusiveBecause(state: RunState): string | null {
  const { proof } = state.plan ?? {};
  const last = state.commands.findLast(({ cmd }) => cmd === proof?.cmd);
  return last && last.status !== 'ok' ? inconclusiveBecause(state, last) : null;
}

/** True when the program read past its input each time it was given some. */
function wasFed({ commands }: RunState, { cmd, stdin, asksForInput }: CommandFact): boolean {
  const fed = commands.filter((one) => one.cmd === cmd && one.stdin !== null);
  return asksForInput !== null && stdin !== null && fed.length >= PATIENCE.inputQuestions;
}

/** True when the command runs a program that this run wrote, without arguments. */
const isOwnAlone = ({ files }: RunState, cmd: string): boolean =>
  own(files, cmd.trim().split(/\s+/).at(-1) ?? '')?.written === true;
