/** Pure: what stdout gets at the end of a run. */
import type { RunResult } from '../../../host/engine-port.ts';
import { inLine } from '../text/text.ts';
import { isNoLongerProved } from './repeated.ts';
import { detailOf, notDoneRows, type Outcome } from './summary.ts';

/**
 * What stdout gets: the answer alone of a run that did nothing else, else how the run ended, with what the
 * model says of its work and how that is known. Of one that is not done it begins with what is known; ''
 * where nothing was said and nothing reached. @param head as `headline` has it
 */
export function resultText(outcome: Pick<Outcome, 'result' | 'resume'>, head: string): string {
  const { result } = outcome;
  const { ending } = result;
  const answer = (result.answer ?? '').trimEnd();
  // What it said then may not be true of files that have changed since.
  if (isNoLongerProved(result)) return '';
  if (answer !== '' && (ending === 'answered' || ending === 'already_finished'))
    return `${answer}\n`;
  if (ending === 'already_finished') return '';
  const said = modelText(result);
  const lines =
    ending === 'achieved'
      ? [head, ...(said === '' ? [] : [said, detailOf(result)].filter(Boolean))]
      : [head, ...knownLines(outcome), ...modelTextLines(result)];
  // Words that are the whole reason of a failure add nothing to it.
  const isSilent = said === '' || said === result.detail.trimEnd();
  return isSilent && ending !== 'achieved' ? '' : `${lines.join('\n')}\n`;
}

const isThrough = ({ ending }: RunResult): boolean =>
  ending === 'achieved' || ending === 'answered' || ending === 'already_finished';

/** What the engine knows of a run that is not done. */
function knownLines({ result, resume }: Pick<Outcome, 'result' | 'resume'>): readonly string[] {
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

/** Of what is not done the model's words are told as its own, but for those that are the detail already. */
export function modelTextLines(result: RunResult): readonly string[] {
  const said = isThrough(result) ? '' : modelText(result);
  const detail = result.detail.trimEnd();
  const reason = result.state.givenUp?.reason ?? said;
  return said === '' || detail.endsWith(said) || detail.endsWith(reason)
    ? []
    : [`The model says: ${said}`];
}

/** The model's own words: its answer, and what it says of its work. */
export function modelText({ answer, summary }: Pick<RunResult, 'answer' | 'summary'>): string {
  const [told, more] = [(answer ?? '').trimEnd(), (summary ?? '').trimEnd()];
  return [told, told.includes(more) ? '' : more].filter(Boolean).join('\n');
}

/** What it says of its work beside an answer, which alone stands on stdout; '' where it adds nothing. */
export const summaryBesideAnswer = ({ ending, answer, summary = '' }: RunResult): string =>
  ending !== 'answered' || answer === null || answer.includes(summary.trim())
    ? ''
    : `The model says: ${summary.trim()}`;
