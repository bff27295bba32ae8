/** The engine leads: the plan is carried out step by step, the model is asked what it must decide. */
import { jsonMode } from '../../llm/tool-modes/json.ts';
import { TRAITS } from '../../schema/driver.ts';
import { askForPlan } from '../../steps/planning.ts';
import { nudgeStep, stalled } from '../../steps/unfinished-turn.ts';
import type { Driver } from '../driver.ts';
import { composeQuestion } from './compose.ts';
import { contentStep, outcomeStep, unusableContentStep } from './content.ts';
import { lookStep } from './look.ts';
import { openingCalls, plannedStep } from './planned.ts';
import { faultsOfWrite } from './repair.ts';
import { failedCheck, SYSTEM_PROMPT, subtaskStarted } from './words.ts';

export const guided: Driver = {
  name: 'guided',
  mode: 'json',
  codec: jsonMode,
  mendsByItself: TRAITS.guided.mendsByItself,
  planStep: (state) => lookStep(state) ?? askForPlan(state),
  outcomeStep,
  unfinishedStep: contentStep,
  workStep: plannedStep,
  textStep: (state) => nudgeStep(state, stalled),
  unusableContentStep,
  leaveStep: () => null,
  faultsOfWrite,
  openingCalls,
  systemPrompt: (notes) => [SYSTEM_PROMPT, notes].filter(Boolean).join('\n'),
  subtaskStarted,
  question: composeQuestion,
  failedCheck,
};
