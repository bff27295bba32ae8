/** Pure: the text on stdout at the end of a run. */
import type { RunResult } from '../../../run/result.ts';
import { inLine } from '../text/text.ts';
import { isNoLongerProved } from './repeated.ts';
import { type EndedRun, endingDetail, notDoneRows } from './summary.ts';

/**
 * For a run that only answered, its answer. Otherwise how the run ended, with what the model says about its
 * work and how that is known; for an unfinished run, what is known comes first. '' if the model said nothing
 * and the goal is not achieved.
 * @param head as `headline` returns it
 */
export function resultText(outcome: Pick<EndedRun, 'result' | 'resume'>, head: string): string {
  const { result } = outcome;
  const { ending } = result;
  const answer = (result.answer ?? '').trimEnd();
  // The model's words may no longer be true of files that have changed since.
  if (isNoLongerProved(result)) return '';
  if (answer !== '' && (ending === 'answered' || ending === 'already_finished'))
    return `${answer}\n`;
  if (ending === 'already_finished') return '';
  const said = modelText(result);
  const lines =
    ending === 'achieved'
      ? [head, ...(said === '' ? [] : [said, endingDetail(result)].filter(Boolean))]
      : [head, ...knownLines(outcome), ...modelTextLines(result)];
  // A text that is the whole reason of a failure adds nothing to it.
  const isSilent = said === '' || said === result.detail.trimEnd();
  return isSilent && ending !== 'achieved' ? '' : `${lines.join('\n')}\n`;
}

const isThrough = ({ ending }: RunResult): boolean =>
  ending === 'achieved' || ending === 'answered' || ending === 'already_finished';

/** What the engine knows about an unfinished run. */
function knownLines({ result, resume }: Pick<EndedRun, 'result' | 'resume'>): readonly string[] {
  const left = notDoneRows(result).map(({ words }) => `Not done: ${words}`);
  const detail = result.detail.trimEnd();
  const { needs } = result.state.ended ?? {};
  return [
    ...(detail === '' ? [] : [detail]),
    ...left,
    ...(needs === undefined ? [] : [`It needs: ${needs}`]),
    ...(result.ending === 'paused' ? [`Resume: ${inLine(resume)}`] : []),
  ];
}

/** The model's text about an unfinished run, marked as its own; none if the detail already says it. */
export function modelTextLines(result: RunResult): readonly string[] {
  const said = isThrough(result) ? '' : modelText(result);
  const detail = result.detail.trimEnd();
  const reason = result.state.givenUp?.reason ?? said;
  return said === '' || detail.endsWith(said) || detail.endsWith(reason)
    ? []
    : [`The model says: ${said}`];
}

/** The model's own text: its answer, and what it says about its work. */
export function modelText({ answer, summary }: Pick<RunResult, 'answer' | 'summary'>): string {
  const [first, more] = [(answer ?? '').trimEnd(), (summary ?? '').trimEnd()];
  return [first, first.includes(more) ? '' : more].filter(Boolean).join('\n');
}

/** What the model says about its work besides an answer, which alone is on stdout; '' if it adds nothing. */
export const summaryBesideAnswer = ({ ending, answer, summary = '' }: RunResult): string =>
  ending !== 'answered' || answer === null || answer.includes(summary.trim())
    ? ''
    : `The model says: ${summary.trim()}`;
