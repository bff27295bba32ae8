/** The words and the record of a trial's question. Pure. */

import { sha256 } from '../../lib/sha256.ts';
import type { ScratchRun } from '../../schema/evidence.ts';
import { trialWords } from '../../shown/trials.ts';
import { alterationText } from '../alterable.ts';
import { listed, type TrialQuestion } from '../evidence.ts';

/** The file, input or command that the question concerns; for red tests, a hash of them. */
function aboutOf(question: TrialQuestion): string {
  switch (question.what) {
    case 'emptied':
      return [question.path, ...(question.tests ?? []).map(alterationText)].join(', ');
    case 'old_tests_emptied':
    case 'constant':
    case 'no_value':
    case 'blank':
    case 'broken':
    case 'failing':
    case 'without':
      return question.path;
    case 'example':
      return question.example.says;
    case 'call':
      return question.call.says;
    case 'first_proof':
      return question.proof.cmd;
    case 'red':
      return [question.run.cmd, ...(question.run.cwd ? [`in ${question.run.cwd}`] : [])].join(' ');
    case 'altered':
      return `${listed(question.changes.map(alterationText))}${question.isOld ? ' and the old code' : ''}`;
    case 'altered_old_tests':
      return alterationText(question.change);
    case 'put_back':
      return question.paths.join(', ');
    case 'old_tests':
      return question.path ?? '';
    case 'given_tests':
      return question.code;
    case 'seen':
      return sha256(JSON.stringify(question.red)).slice(0, 16);
    case 'unchanged':
      return question.again ? 'again' : '';
    default:
      return '';
  }
}

/** What a trial records of its question. */
export const askedBy = (question: TrialQuestion): Pick<ScratchRun, 'what' | 'about' | 'own'> => ({
  what: question.what,
  about: aboutOf(question),
  ...('own' in question && question.own ? { own: true } : {}),
});

export const questionWords = (question: TrialQuestion): string => trialWords(askedBy(question));
