/** The plan is carried out without asking; the model decides where there is a choice. */
import type { Subtask } from '../../schema/plan.ts';
import type { OpenAction } from '../../schema/question.ts';
import type { RoundOrigin } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import { missingEvidence } from '../../steps/gate.ts';
import { replanOrFail } from '../../steps/replan.ts';
import { openRound } from '../../steps/rounds.ts';
import {
  activeSubtask,
  dueProof,
  hasEndedWell,
  lastCommand,
  lastStub,
  ownFile,
} from '../../steps/select.ts';
import { type Limits, PATIENCE, type PlannedCall, type Step } from '../../steps/step.ts';
import type { DriverView } from '../driver.ts';
import { COMPLETION, choose, inputAction, openActions } from './choose.ts';
import { failureStep } from './repair.ts';

export function plannedStep(state: RunState, limits: Limits): Step {
  const { active } = state;
  const subtask = activeSubtask(state);
  if (!active || !subtask) throw new Error('A plan is carried out subtask by subtask.');
  if (active.saidFailure > 1)
    return replanOrFail(state, `the model could not do it: ${subtask.purpose}`);
  if (active.blocks >= PATIENCE.blocks)
    return replanOrFail(state, withFailure(state, 'the same calls came again without effect'));
  if (state.wantsContent)
    return replanOrFail(state, `no usable content came for ${state.wantsContent.file}`);
  if (active.stubs.length === 0 && state.round?.subtask !== active.id)
    return subtask.step === undefined
      ? decide(state, limits)
      : openRound(state, limits, 'planned', plannedCalls(subtask, state));
  const content = unwrittenFile(state, subtask, limits);
  if (content) return content;
  if (UNKNOWN_OUTCOMES.has(lastStub(state)?.status ?? '')) return decide(state, limits);
  if (active.saidFailure > 0) return decide(state, limits);
  const failure = failureStep(state, limits);
  if (failure) return failure;
  const input = inputStep(state, subtask, limits);
  if (input) return input;
  if (missingEvidence(state, subtask) === null || hasSpentItsTries(state, subtask))
    return choose(state, limits, 'decision', 'completion_question', [completion(subtask)]);
  return decide(state, limits);
}

/** The failure behind it tells a planner more than that patience ended. */
const withFailure = (state: RunState, why: string): string => {
  const command = lastCommand(state);
  return command && !hasEndedWell(command) ? `${command.cmd}: ${command.head}` : why;
};

/** What was not carried out to its end is for the model to judge, never to be run again by us. */
const UNKNOWN_OUTCOMES = new Set(['interrupted', 'cancelled', 'denied']);

/** The subtask's file was only read so far: now its content is asked for. */
function unwrittenFile(state: RunState, subtask: Subtask, limits: Limits): Step | null {
  const file = ownFile(subtask);
  const stubs = state.active?.stubs.filter((stub) => stub.target === file) ?? [];
  if (
    file === undefined ||
    stubs.some((stub) => stub.does === 'writes_whole_files' && stub.status === 'ok')
  )
    return null;
  return stubs.length > PATIENCE.invalidReplies
    ? replanOrFail(state, `${file} could not be written: ${stubs.at(-1)?.head}`)
    : openRound(state, limits, 'planned');
}

const decide = (state: RunState, limits: Limits): Step =>
  choose(state, limits, 'decision', 'action_question', openActions(state));

/** The calls a plan already names; a file's content is asked for, so it has none. */
function plannedCalls({ step }: Subtask, state: RunState): readonly PlannedCall[] {
  if (!step?.args) return [];
  return [{ id: `planned_${state.counters.rounds + 1}`, name: step.action, args: step.args }];
}

/**
 * A program that asks its user is run once with what the model would type, before it is called
 * done: that is when the proof's input is chosen, since the code exists now.
 */
function inputStep(state: RunState, subtask: Subtask, limits: Limits): Step | null {
  const proof = dueProof(state);
  const file = ownFile(subtask);
  if (!proof || !file || !proof.cmd.includes(file)) return null;
  const asks = (state.files[file]?.prompts.length ?? 0) > 0;
  const wasRun = state.active?.stubs.some((stub) => stub.does === 'runs_commands');
  if (!asks || wasRun || missingEvidence(state, subtask) !== null) return null;
  return choose(state, limits, 'decision', 'input_question', [inputAction(state, proof.cmd)]);
}

const isLook = ({ step }: Subtask): boolean =>
  step?.does === 'reads_files' || step?.does === 'lists_folders';

/** Only a subtask that looks at something can end with a text as its result. */
const completion = (subtask: Subtask): OpenAction =>
  isLook(subtask) ? { does: 'ends_subtasks' } : COMPLETION;

/** Its file was written as often as patience allows and still has problems. */
const hasSpentItsTries = (state: RunState, subtask: Subtask): boolean => {
  const file = ownFile(subtask);
  return file !== undefined && state.files[file]?.written === true && !state.wantsContent;
};

/** A planned file that is there already and was never looked at is read before it is written. */
export function openingCalls(
  origin: RoundOrigin,
  { state, world }: Pick<DriverView, 'state' | 'world'>,
): readonly PlannedCall[] {
  const subtask = activeSubtask(state);
  const file = subtask && ownFile(subtask);
  const isUnseen = file !== undefined && state.files[file] === undefined && world.exists(file);
  if (origin !== 'planned' || !isUnseen) return [];
  const id = `planned_${state.counters.rounds + 1}`;
  return [{ id, does: 'reads_files', args: { path: file } }];
}
