/** The model leads: all tools are on the wire, and the engine limits, checks and proves. */
import { nativeMode } from '../../llm/tool-modes/native.ts';
import { checkFailed, cutInCall } from '../../prompts/remarks.ts';
import { endsSubtask, givesUp, isCommand, setsPlan } from '../../schema/capability.ts';
import { TRAITS } from '../../schema/driver.ts';
import type { RunState } from '../../schema/state.ts';
import { branchEndStep } from '../../steps/branch.ts';
import { doubtStep, permittedStep } from '../../steps/gate/not-done.ts';
import { replanOrFail } from '../../steps/replan.ts';
import { inRound } from '../../steps/rounds.ts';
import { type Limits, PATIENCE, type Step } from '../../steps/step.ts';
import { definitionsFor } from '../../tools/registry.ts';
import type { Driver, DriverView, PlannedCallFacts } from '../driver.ts';
import { decodedBy } from '../reading.ts';
import { fallBackStep } from './leave.ts';
import { goalToWork, question } from './plan.ts';
import { isSurvey, surveyStep } from './survey.ts';
import { textStep } from './text.ts';
import {
  closedNow,
  completionReply,
  failedProof,
  nudge,
  planReply,
  refusalReply,
  staysAsItIs,
  subtaskStarted,
  systemPrompt,
  waitsForPlan,
} from './words.ts';

function decisionStep(state: RunState, limits: Limits): Step {
  const { active } = state;
  const leave = fallBackStep(state);
  if (leave) return leave;
  if (active && active.reportedFailures > 0)
    return replanOrFail(state, lastReason(state) || 'the model said it cannot do this subtask');
  if (active && active.blocks >= PATIENCE.blocks)
    return replanOrFail(state, 'the same calls came again and again without effect');
  return inRound(state, limits, () => ({
    do: 'ask',
    // All tools are on the wire, so none is named.
    question: { kind: 'action', open: [] },
    cause: null,
    tries: 0,
  }));
}

/** What the model itself said against the subtask. */
const lastReason = ({ active }: RunState): string =>
  active?.lastFailure ?? active?.actions.findLast(endsSubtask)?.head ?? '';

/**
 * Why a call is closed: it may change something before there is a plan, or it changes a file that must stay.
 */
function closedReason(call: PlannedCallFacts, { state, names }: ClosedView): string | null {
  if (call.mustStay.length > 0) return staysAsItIs(call.mustStay, names);
  if (!isSurvey(state) || call.isReadOnly) return null;
  if (setsPlan(call) || givesUp(call)) return null;
  return isCommand(call) ? waitsForPlan(call.tool, names) : closedNow(call.tool, names);
}

type ClosedView = Pick<DriverView, 'names'> & { readonly state: RunState };

export const free: Driver = {
  ...TRAITS.free,
  name: 'free',
  leavesRunning: true,
  hasFurtherTools: true,
  showsTextFrom: 2,
  waitsForPerson: true,
  putsBack: false,
  asksToChange: false,
  hasVerdict: true,
  summary: null,
  learnt: { leavesSchema: true },
  codec: nativeMode,
  opening: (_question, content) => [{ role: 'system', content }],
  plainTry: () => null,
  decode: (question, reply, view) => decodedBy(nativeMode, question, reply, view),
  planStep: surveyStep,
  outcomeStep: () => ({ do: 'tell' }),
  beforeCall: () => null,
  unfinishedStep: branchEndStep,
  workStep: decisionStep,
  textStep,
  unusableContentStep: () => null,
  cutReply: cutInCall,
  permittedStep,
  doubtStep,
  fallBackStep,
  definitions: (tools, window) => definitionsFor(tools, { callsTools: true, window }),
  openingCalls: () => [],
  // A leading model knows how programs are organised, and a project has its own way.
  systemPrompt: (_notes, names) => systemPrompt(names),
  subtaskStarted,
  question,
  failedCheck: (output, isProof, names) =>
    checkFailed(isProof ? failedProof(output, names) : output),
  closedReason,
  planReply,
  goalToWork,
  completionReply,
  refusalReply,
  nudge,
};
