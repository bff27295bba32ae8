/**
 * Pure: a content is tried in the copy before it is written. Another content, at a higher temperature, is requested
 * only if this one fails a given example: then a trial can choose between them.
 */
import type { ToolCall } from '../../schema/model/messages.ts';
import type { RunState } from '../../schema/state.ts';
import { PATIENCE, type Step } from '../../steps/step.ts';
import { takeBest } from './best-candidate.ts';
import { rewindContent } from './content.ts';

const MOST_UNCHANGED = 2;

export function candidateStep({ pending, ...state }: RunState, call: ToolCall): Step | null {
  const wanted = state.guided.contentRequest;
  if (!wanted || !pending || pending.isTaken || !holdsContent(call)) return null;
  if (!pending.isTried) return { do: 'try_candidate', call };
  const { candidates = [], tries, unchanged = 0 } = wanted;
  const { failed = 0, lacksFigures = false } = candidates.at(-1) ?? {};
  if (failed === 0 && candidates.length < 2) return null;
  const wereAsked = candidates.slice(0, -1).some((one) => one.lacksFigures);
  // Figures may have another form, and an answer that came twice unchanged may be right.
  const isOver = failed === 0 || (failed === 1 && lacksFigures && wereAsked);
  return !isOver && tries < PATIENCE.invalidReplies && unchanged < MOST_UNCHANGED
    ? rewindContent({ ...state, pending }, wanted)
    : takeBest(wanted);
}

const holdsContent = ({ args }: ToolCall): boolean => 'content' in args || 'new_text' in args;
