/**
 * What a child may not do in its copy of the workspace: anything that would take effect elsewhere or outlive
 * the copy, because nothing joins such effects. Pure; no rule lifts any of it.
 */
import { pathOutside } from '../languages/commands/command-rule.ts';
import { installs } from '../languages/commands/installs.ts';
import { programName } from '../languages/commands/program-name.ts';
import type { CallDecision, PolicyRequest } from '../tools/decision.ts';
import type { CommandOptions, CommandPart } from './command/contract.ts';
import { leavesSandbox } from './command/crossing.ts';

const HERE = 'This subtask is done in a copy of the folder, beside others';
const INSTALLS = `${HERE}: nothing is installed there.`;
const REACHES = `${HERE}: nothing outside of it is reached from there.`;
const STAYS = `${HERE}: nothing runs there in the background.`;

const HINT =
  'Do without it. Where the subtask needs it, end it as not done: then it is done in the folder itself.';

/**
 * `null`: the command does nothing of the kind.
 * @param isFetched its program is missing here and would be downloaded
 */
export function leavingCopy(
  { words: [program = '', ...args] }: CommandPart,
  options: CommandOptions,
  isFetched: boolean,
): string | null {
  const { platform } = options;
  if (isFetched || installs({ file: program, args }, platform)) return INSTALLS;
  const isPath = /[\\/]/.test(program);
  if (leavesSandbox(programName(program, platform))) return REACHES;
  const words = [...(isPath ? [program] : []), ...args];
  return pathOutside(words, options) === null ? null : REACHES;
}

/** Judges any other call, and a program that would keep running. */
export function outsideOfCopy({
  target,
  touches,
  server,
  own,
}: PolicyRequest): CallDecision | null {
  if (target?.isLeftRunning) return denied(STAYS);
  const isElsewhere =
    target?.kind === 'shell' ||
    target?.kind === 'address' ||
    touches === 'network' ||
    server !== undefined ||
    own?.isAsked === true;
  return isElsewhere ? denied(REACHES) : null;
}

const denied = (reason: string): CallDecision => ({ kind: 'deny', reason, hint: HINT });

export const INSTEAD_IN_COPY = HINT;
