/** JSON files. */

import { thrownText } from '../../lib/callback.ts';
import { NOTHING_OFFERED } from '../files/inspection.ts';
import type { Language } from '../language.ts';

export const json: Language = {
  name: 'json',
  owns: (path) => /\.json$/i.test(path),
  isTest: () => false,
  isData: () => true,
  contentOf: (value) => `${JSON.stringify(value, null, 2)}\n`,
  inspect: (path, text) => {
    const problem = jsonProblem(path, text);
    const problems = problem === null ? [] : [problem];
    return Promise.resolve({ ...NOTHING_OFFERED, problems, parses: problem === null });
  },
};

/** Files whose readers allow comments and trailing commas. */
const RELAXED =
  /(?:^|\/)(?:[tj]sconfig[^/]*|\.eslintrc|\.babelrc|launch|settings|devcontainer)\.json$/;

/** One sentence, `null` if the text is JSON or its reader is known to be relaxed. */
function jsonProblem(path: string, text: string): string | null {
  if (RELAXED.test(path)) return null;
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return null;
  } catch (error) {
    const message = thrownText(error);
    const position = /at position (\d+)/.exec(message)?.[1];
    const where = position ? `line ${text.slice(0, Number(position)).split('\n').length}: ` : '';
    const reason = message
      .replace(/\s*\(line \d+ column \d+\)/, '')
      .replace(/, "[\s\S]*" is not valid JSON/, '');
    return `${where}is not valid JSON, ${reason}`;
  }
}
