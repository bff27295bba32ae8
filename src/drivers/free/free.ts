/** The model leads: all tools are on the wire, and the engine bounds, checks and proves. */
import { nativeMode } from '../../llm/tool-modes/native.ts';
import { checkFailed } from '../../prompts/remarks.ts';
import { TRAITS } from '../../schema/driver.ts';
import { branchEndStep } from '../../steps/branch.ts';
import type { Driver } from '../driver.ts';
import { decisionStep } from './decision.ts';
import { leaveStep } from './leave.ts';
import { planStep, question } from './plan.ts';
import { textStep } from './text.ts';
import { subtaskStarted, systemPrompt } from './words.ts';

export const free: Driver = {
  name: 'free',
  mode: 'native',
  codec: nativeMode,
  mendsByItself: TRAITS.free.mendsByItself,
  planStep,
  outcomeStep: () => ({ do: 'tell' }),
  unfinishedStep: branchEndStep,
  workStep: decisionStep,
  textStep,
  unusableContentStep: () => null,
  leaveStep,
  faultsOfWrite: () => [],
  openingCalls: () => [],
  systemPrompt: (notes, names) => [systemPrompt(names), notes].filter(Boolean).join('\n'),
  subtaskStarted,
  question,
  failedCheck: checkFailed,
};
