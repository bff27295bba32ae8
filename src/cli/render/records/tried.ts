/** Pure: a call that did not succeed, in plain words: what was tried, and why it failed. */

import { andAgain } from '../../../prompts/remarks.ts';
import type { Capability } from '../../../schema/actions.ts';
import type { RecordOf, Stamped } from '../../../schema/records.ts';
import { storedHead } from '../../../schema/stored-head.ts';
import { callLabel, inPersonsWords, STATUS_WORDS, toolLabel } from '../../../shown/calls.ts';
import { oneLine } from '../text/text.ts';
import { testsText } from './notes.ts';
import { EARLY, firstSentence, lastTellingLine, waitedForPlan } from './outcomes.ts';

type Finished = Pick<
  RecordOf<'action_finished'>,
  'tool' | 'target' | 'touches' | 'does' | 'status' | 'facts' | 'hashes' | 'result'
>;

/** Capabilities that the engine provides with its own tools. */
const ABOUT_THE_RUN: { readonly [does in Capability]?: string } = {
  ends_subtasks: 'calling it done',
  sets_plan: 'planning',
  gives_up: 'giving up',
};

/** `run pytest -q`, `files.read`, `calling it done`. */
export function triedText({ tool, target, does, hashes }: Finished): string {
  const about = target ?? Object.keys(hashes).join(', ');
  return (does && ABOUT_THE_RUN[does]) ?? oneLine(callLabel({ tool, target: about }));
}

/** @param hasPlan false: every call that may change something had to wait */
export function whyNot(record: Finished, hasPlan = true): string {
  const { status, touches, tool, facts } = record;
  const said = oneLine(storedHead(record.result)).replaceAll(tool, toolLabel(tool));
  switch (status) {
    case 'error':
      if (facts.fault === 'tool') return 'there is no such tool';
      if (facts.fault === 'arguments') return `its arguments do not fit: ${firstSentence(said)}`;
      if (touches === 'process')
        return testResultText(facts) || lastTellingLine(storedHead(record.result)) || said;
      return touches === 'network'
        ? said
        : inPersonsWords(firstSentence(said, oneLine(record.target ?? '')));
    case 'denied':
      return waitedForPlan(record, hasPlan) ? EARLY : withoutDemand(said, tool);
    case 'mcp_error':
      return [STATUS_WORDS[status], said].filter(Boolean).join(': ');
    default:
      return STATUS_WORDS[status] ?? said;
  }
}

/** The name of the failed test says more than the first line of its runner. */
export const testResultText = ({ tests }: Finished['facts']): string =>
  [testsText(tests), oneLine(tests?.first ?? '')].filter(Boolean).join(', ');

/** Removes the advice to the model about what to call next. */
function withoutDemand(said: string, tool: string): string {
  const demand = andAgain(tool);
  return said.endsWith(demand) ? said.slice(0, -demand.length) : firstSentence(said);
}

/** Whether calls that may change something are allowed after this record. */
export function planStands(record: Stamped, before: boolean): boolean {
  if (record.type === 'plan_set' || record.type === 'replanned') return true;
  return record.type === 'replan_started' ? false : before;
}
