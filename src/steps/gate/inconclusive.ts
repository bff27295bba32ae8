/**
 * A failed check that says nothing against the work, so that nothing is mended for it: what failed
 * is only what nobody could have known. Pure.
 */
import { own } from '../../lib/own.ts';
import type { RunState } from '../../schema/state.ts';
import type { CommandFact } from '../../schema/state-parts/run-facts.ts';
import { PATIENCE } from '../step.ts';

/** In words for people; `null`: the failure is one. */
export function inconclusiveBecause(state: RunState, command: CommandFact): string | null {
  if (wasFed(state, command)) return 'it wanted more input than could be guessed';
  const { exitCode, cmd } = command;
  // What programs end with that lack arguments.
  if (exitCode === USAGE && isOwnAlone(state, cmd))
    return 'it wants arguments, and the plan gives it none';
  return null;
}

const USAGE = 2;

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

/** A program that the run wrote, and nothing behind it. */
const isOwnAlone = ({ files }: RunState, cmd: string): boolean =>
  own(files, cmd.trim().split(/\s+/).at(-1) ?? '')?.written === true;
