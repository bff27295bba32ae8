/** The model leads: all tools are on the wire, and the engine limits, checks and proves. */
import { nativeMode } from '../../llm/tool-modes/native.ts';
import { checkFailed, cutInCall } from '../../prompts/remarks.ts';
import { TRAITS } from '../../schema/driver.ts';
import { branchEndStep } from '../../steps/branch.ts';
import { doubtStep, permittedStep } from '../../steps/gate/not-done.ts';
import { definitionsFor } from '../../tools/registry.ts';
import type { Driver } from '../driver.ts';
import { decodedBy } from '../reading.ts';
import { closedReason } from './closed.ts';
import { decisionStep } from './decision.ts';
import { fallBackStep } from './leave.ts';
import { goalToWork, question } from './plan.ts';
import { surveyStep } from './survey.ts';
import { textStep } from './text.ts';
import {
  completionReply,
  failedProof,
  nudge,
  planReply,
  refusalReply,
  subtaskStarted,
  systemPrompt,
} from './words.ts';

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
