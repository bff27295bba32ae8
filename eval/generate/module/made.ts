/** Modules that a goal asks for, with tests of the run's own. */
import { type Call, callsAnswer } from '../calls.ts';
import type { Files, Task } from '../generator.ts';
import { all } from '../look.ts';
import { ENDING, type ProgramLanguage } from '../programs-made.ts';
import { ownTestsHold } from '../tests-run.ts';

export interface Made {
  readonly goal: string;
  readonly language: ProgramLanguage;
  /** Of the module, without its ending. */
  readonly stem: string;
  readonly calls: readonly Call[];
  readonly right: Files;
  readonly wrong: readonly Files[];
}

/** The module answers the oracle's calls; its tests pass, and fail with the code taken away. */
export function madeTask({ goal, language, stem, calls, right, wrong }: Made): Task {
  const path = `${stem}${ENDING[language]}`;
  return {
    goal,
    needs: language === 'python' ? ['python', 'pytest'] : [],
    judge: (evidence) =>
      all([() => callsAnswer(evidence, path, calls), () => ownTestsHold(evidence, language, path)]),
    good: { files: right },
    bad: wrong.map((files) => ({ files })),
  };
}

/** Tests that ask nothing of the code. */
export const idleTests = (stem: string, language: ProgramLanguage): string =>
  language === 'python'
    ? `import ${stem}\n\n\ndef test_it():\n    assert ${stem}\n    assert True\n`
    : `const test = require('node:test');\nconst assert = require('node:assert');\nconst m = require('./${stem}.js');\n\ntest('it', () => {\n  assert.ok(m);\n  assert.ok(true);\n});\n`;
