/** Programs that read a given file: their output must follow when the oracle changes what stands in it. */
import { type Evidence, missed, reached, type Verdict } from '../../goal.ts';
import type { Files } from '../generator.ts';
import { firstOf, printed, put } from '../look.ts';
import type { Target } from '../programs-made.ts';

export interface Data {
  readonly files: Files;
  /** Looks at what is printed with these files in place. */
  readonly check: (stdout: string) => Verdict;
}

/** With the data that were given, then with others. */
export const followsJudge =
  (made: Target, variants: readonly Data[]) =>
  (evidence: Evidence): Promise<Verdict> =>
    firstOf(made.candidates(evidence), async (path) => {
      for (const [at, { files, check }] of variants.entries()) {
        put(evidence, files);
        const seen = await printed(evidence, path, {}, check);
        if (!seen.reached) return missed(`${at === 0 ? '' : 'with other data: '}${seen.why}`);
      }
      return reached(`${path} follows its data`);
    });
