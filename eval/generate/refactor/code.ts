/** What oracles read in code that was moved about. */
import { type Evidence, missed, reached, type Verdict } from '../../goal.ts';
import { filesIn, textOf } from '../../workspace-files.ts';
import { expectThat } from '../look.ts';

const CODE = /\.(py|[cm]?js)$/;

/** A function is defined in this file and in no other. */
export function isDefinedOnlyIn(evidence: Evidence, name: string, path: string): Verdict {
  const definition = new RegExp(
    `^\\s*(export\\s+)?(async\\s+)?(def|function)\\s+${name}\\b|^\\s*(export\\s+)?(const|let|var)\\s+${name}\\s*=\\s*(\\(|function|async|\\w+\\s*=>)`,
    'm',
  );
  const holders = filesIn(evidence.workspace).filter(
    (one) => CODE.test(one) && definition.test(textOf(evidence.workspace, one)),
  );
  return expectThat(
    holders.join() === path,
    `${name} is defined in ${holders.join(' and ') || 'no file'}`,
  );
}

/** No file says a word any more; what stands in quotes is for people. */
export function isGone(evidence: Evidence, word: string): Verdict {
  const holder = filesIn(evidence.workspace).find((path) =>
    new RegExp(`\\b${word}\\b`).test(
      textOf(evidence.workspace, path).replace(/'[^'\n]*'|"[^"\n]*"/g, ''),
    ),
  );
  return holder === undefined ? reached(`${word} is gone`) : missed(`${holder} still has ${word}`);
}
