/** The engine leads: it carries the plan out step by step, and asks the model what it must decide. */
import { jsonMode } from '../../llm/tool-modes/json.ts';
import { CUT_OFF, completion } from '../../prompts/remarks.ts';
import { TRAITS } from '../../schema/driver.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import { subtasksOf } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import { briefStep } from '../../steps/brief.ts';
import { askForPlan } from '../../steps/planning.ts';
import { isPending } from '../../steps/select.ts';
import { PATIENCE, type Step } from '../../steps/step.ts';
import { definitionsFor } from '../../tools/registry.ts';
import type { Driver } from '../driver.ts';
import { composeGoal } from '../plan-question.ts';
import { composeQuestion } from './compose.ts';
import {
  contentStep,
  outcomeStep,
  rewindContent,
  takeBest,
  unusableContentStep,
} from './content.ts';
import { opening, plainTry, tryStep } from './plain-try.ts';
import { openingCalls, plannedStep } from './planned.ts';
import { decode } from './reading.ts';
import { surveyStep } from './survey.ts';
import { triedPutBack } from './tried.ts';
import { failedCheck, SYSTEM_PROMPT, subtaskStarted } from './words.ts';

const MAX_UNCHANGED = 2;

/**
 * A content is tried in the copy before it is written. Another content, at a higher temperature, is requested only if
 * this one fails a given example: then a trial can choose between them.
 */
function candidateStep({ pending, ...state }: RunState, call: ToolCall): Step | null {
  const wanted = state.guided.contentRequest;
  if (!wanted || !pending || pending.isTaken || !holdsContent(call)) return null;
  if (!pending.isTried) return { do: 'try_candidate', call };
  const { candidates = [], tries, unchanged = 0 } = wanted;
  const { failed = 0, lacksFigures = false } = candidates.at(-1) ?? {};
  if (failed === 0 && candidates.length < 2) return null;
  const wereAsked = candidates.slice(0, -1).some((one) => one.lacksFigures);
  // The goal's figures may stand in another form, and an answer that came twice unchanged may be right.
  const isOver = failed === 0 || (failed === 1 && lacksFigures && wereAsked);
  return !isOver && tries < PATIENCE.invalidReplies && unchanged < MAX_UNCHANGED
    ? rewindContent({ ...state, pending }, wanted)
    : takeBest(wanted);
}

const holdsContent = ({ args }: ToolCall): boolean => 'content' in args || 'new_text' in args;

export const guided: Driver = {
  ...TRAITS.guided,
  name: 'guided',
  leavesRunning: false,
  hasFurtherTools: false,
  // A small model is asked for a whole file or a passage instead.
  showsTextFrom: null,
  waitsForPerson: true,
  putsBack: true,
  asksToChange: false,
  hasVerdict: true,
  summary: null,
  learnt: { callsUnusable: true },
  codec: jsonMode,
  opening,
  plainTry,
  decode,
  planStep: (state) =>
    tryStep(state) ??
    triedPutBack(state) ??
    briefStep(state) ??
    surveyStep(state) ??
    askForPlan(state),
  outcomeStep,
  beforeCall: candidateStep,
  unfinishedStep: contentStep,
  workStep: plannedStep,
  // A small model's answers are read as an action, a content or a plan, or cannot be read.
  textStep: () => null,
  unusableContentStep,
  cutReply: () => CUT_OFF.action,
  permittedStep: () => null,
  doubtStep: () => null,
  fallBackStep: () => null,
  definitions: (tools, window) => definitionsFor(tools, { callsTools: false, window }),
  openingCalls,
  systemPrompt: (notes) => [SYSTEM_PROMPT, notes].filter(Boolean).join('\n'),
  subtaskStarted,
  question: composeQuestion,
  failedCheck: (output) => failedCheck(output),
  closedReason: () => null,
  planReply: () => '',
  goalToWork: composeGoal,
  completionReply: ({ state }) => completion(isLeft(state)),
  refusalReply: (_state, _ended, reason) => reason,
  nudge: () => '',
};

const isLeft = ({ plan }: RunState): boolean => plan !== null && subtasksOf(plan).some(isPending);
