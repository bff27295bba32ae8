/** JSON files. */

import { NOTHING_OFFERED } from '../files/inspection.ts';
import type { Language } from '../language.ts';
import { jsonProblem } from './json-problem.ts';

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
