import { type AskTrial, colonAndNames, type TrialAnswer, type TrialQuestion } from '../evidence.ts';
import { failedTestsText } from './test-answers.ts';

/**
 * Asks each question once. A copy may lack what the proof needs, so a failure in a copy tells something only
 * if the proof passes in an unchanged copy. A pass with the old files counts without that.
 */
export function askOnce(ask: AskTrial): AskTrial {
  const answers = new Map<string, Promise<TrialAnswer>>();
  let isSeenPassing = false;
  const once = (question: TrialQuestion): Promise<TrialAnswer> => {
    const key = JSON.stringify(question);
    const answer = answers.get(key) ?? ask(question);
    answers.set(key, answer);
    return answer;
  };
  return async (question) => {
    if (question.what === 'seen') {
      const seen = await once(question);
      isSeenPassing ||= seen.kind === 'ran' && seen.passed;
      return seen;
    }
    if (question.what === 'altered' && isSeenPassing) return once(question);
    if (question.what === 'before' && question.again) {
      const red = await once(question);
      if (red.kind !== 'ran' || red.passed || hasFailedTests(red)) return red;
      // No test failed: the copy itself may be why it fails.
      await once({ what: 'unchanged' });
      return ask(question);
    }
    const green = await once({ what: 'unchanged' });
    if (green.kind !== 'ran') return green;
    if (!green.passed)
      return { kind: 'none', why: `the proof does not pass in a copy${failureIn(green)}` };
    return once(question);
  };
}

const hasFailedTests = ({ red = [], tests }: Extract<TrialAnswer, { kind: 'ran' }>): boolean =>
  red.length > 0 || (tests?.failed ?? 0) > 0;

const failureIn = ({ failed = [], output }: Extract<TrialAnswer, { kind: 'ran' }>): string =>
  colonAndNames(failed.length > 0 ? failed : [failedTestsText(output)].filter(Boolean));
