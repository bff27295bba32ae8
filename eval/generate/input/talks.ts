/** Programs that are given something and must answer it: the oracle gives inputs of its own. */
import { type Evidence, missed, reached, type Verdict } from '../../goal.ts';
import type { Files } from '../generator.ts';
import { endedWell, firstOf, type Play, play } from '../look.ts';
import type { Target } from '../programs-made.ts';

export interface Case {
  readonly how: Play;
  /** Why the output is wrong; `null`: it is right. */
  readonly fault: (output: string) => string | null;
  /** What a program does with input that it refuses is its own: it may end with any code. */
  readonly mayFail?: boolean;
}

export const talkJudge =
  (made: Target, cases: readonly Case[]) =>
  (evidence: Evidence): Promise<Verdict> =>
    firstOf(made.candidates(evidence), async (path) => {
      for (const { how, fault, mayFail } of cases) {
        const run = await play(evidence, path, how);
        const given = JSON.stringify(how.stdin ?? how.args ?? []);
        const failure = mayFail && !run.timedOut ? null : endedWell(run);
        const why = failure ?? fault(mayFail ? run.output : run.stdout);
        if (why !== null) return missed(`${path} given ${given}: ${why}`);
      }
      return reached(`${path} answers ${cases.length} inputs right`);
    });

export const inLanguage = (made: Target, python: string, javascript: string): Files => ({
  [made.path]: made.language === 'python' ? python : javascript,
});

/** The same with one piece of the code replaced, which must be there. */
export function withBug(files: Files, from: string | RegExp, to: string): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => {
      const changed = text.replace(from, to);
      if (changed === text) throw new Error(`${path} has no ${from}`);
      return [path, changed];
    }),
  );
}

/** JavaScript that has all of stdin as lines in `lines`. */
export const JS_LINES = "const lines = require('fs').readFileSync(0, 'utf8').split(/\\r?\\n/);";
