import { type AskTrial, namesOf, type TrialAnswer, type TrialQuestion } from '../evidence.ts';
import { failureText } from './test-answers.ts';

/** They do not speak for the work by failing, or are asked beside one of the unchanged copy. */
const UNASKED: ReadonlySet<TrialQuestion['what']> = new Set(['seen', 'altered']);

/** Asks each question once. If the proof fails in an unchanged copy, only a pass with the old files counts. */
export function askOnce(ask: AskTrial): AskTrial {
  const answers = new Map<string, Promise<TrialAnswer>>();
  const once = (question: TrialQuestion): Promise<TrialAnswer> => {
    const key = JSON.stringify(question);
    const answer = answers.get(key) ?? ask(question);
    answers.set(key, answer);
    return answer;
  };
  return async (question) => {
    if (UNASKED.has(question.what) || (question.what === 'before' && question.again))
      return once(question);
    const green = await once({ what: 'unchanged' });
    if (green.kind !== 'ran') return green;
    if (!green.passed)
      return { kind: 'none', why: `the proof does not pass in a copy${failureIn(green)}` };
    return once(question);
  };
}

const failureIn = ({ failed = [], output }: Extract<TrialAnswer, { kind: 'ran' }>): string =>
  namesOf(failed.length > 0 ? failed : [failureText(output)].filter(Boolean));
