/** Pure: the answer of a plain try is written as it is; if a given test or example fails, the goal is split instead. */
import { askedParts } from '../../decompose/brief/goal-parts.ts';
import { isWrite } from '../../schema/capability.ts';
import type { Subtask } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import { inconclusiveBecause } from '../../steps/gate/inconclusive.ts';
import { openRound } from '../../steps/rounds.ts';
import { hasEndedWell, lastCommand, problemOf, subtaskFile } from '../../steps/select.ts';
import type { Limits, Step } from '../../steps/step.ts';
import { answerAction, plannedId } from './calls.ts';
import { choose } from './choose.ts';
import { mayAskForInput } from './repair.ts';

/** `null` if its subtask continues like any other: a program gets input, and finished work is ended. */
export function triedStep(state: RunState, subtask: Subtask, limits: Limits): Step | null {
  const { round, active } = state;
  const { plainTry } = state.guided;
  if (plainTry?.is !== 'answered' || !active) return null;
  const why = whyNot(state, subtask);
  if (why !== null) return { do: 'end_try', why };
  if (plainTry.isText && active.actions.length === 0 && askedParts(state.goal).length > 0)
    return choose(state, limits, 'completion_question', [answerAction(state)]);
  if (active.actions.length > 0 || round?.subtask === subtask.id) return null;
  const file = subtaskFile(subtask);
  if (file === undefined) return { do: 'claim_by_text' };
  const call = plainTry.calls.find(({ args }) => args.path === file);
  // The goal names a file that the answer lacks: its content is requested.
  if (!call) return null;
  return openRound(state, limits, 'planned', [{ ...call, id: plannedId(state) }]);
}

/** A given test or example fails, or the answer could not be written; `null`: neither. */
function whyNot(state: RunState, subtask: Subtask): string | null {
  const refused = state.active?.actions.find((one) => isWrite(one) && one.status !== 'ok');
  if (refused) return `${refused.target}: ${refused.head}`;
  const file = subtaskFile(subtask);
  const problem = file === undefined ? null : problemOf(state, file);
  if (problem !== null) return `${file}: ${problem}`;
  const command = lastCommand(state);
  if (!command || hasEndedWell(command) || inconclusiveBecause(state, command) !== null)
    return null;
  if (command.wasStarted === false || mayAskForInput(state, command)) return null;
  return `${command.cmd}: ${command.head}`;
}

/** After the try, before a plan: given files are as they were. New files of the try stay, and belong to the run. */
export function triedPutBack({ replan, round, files, conversation }: RunState): Step | null {
  if (replan?.n !== 0) return null;
  // The result of putting files back is not part of the next question.
  if (conversation.at(-1)?.cause === 'tool_result')
    return { do: 'rewind', fromSeq: 0, why: 'what was given is as it was' };
  if (round?.origin === 'put_back') return null;
  const changed = Object.entries(files).flatMap(([path, { written, baseline, hash, isOwn }]) =>
    written && isOwn === true && baseline !== null && hash !== null && baseline !== hash
      ? [{ path, hash: baseline }]
      : [],
  );
  return changed.length > 0 ? { do: 'put_back', files: changed } : null;
}
