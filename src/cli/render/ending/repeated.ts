/** Pure: what is shown if a finished goal is typed again. */

import { listed } from '../../../evidence/evidence.ts';
import { firstOf } from '../../../lib/text/shortened.ts';
import { visible } from '../../../lib/text/visible.ts';
import { isAsLeft, type SinceEnd } from '../../../schema/events/result-parts.ts';
import type { RunState } from '../../../schema/state.ts';
import type { Row } from '../text/rows.ts';
import { inLine, oneLine, plural } from '../text/text.ts';

export interface Repeated {
  readonly state: RunState;
  readonly sinceEnd?: SinceEnd | undefined;
}

export const isNoLongerProved = ({ sinceEnd }: Pick<Repeated, 'sinceEnd'>): boolean =>
  sinceEnd !== undefined && !isAsLeft(sinceEnd);

export function finishedText({ state, sinceEnd }: Repeated): string {
  const goal = oneLine(state.goal);
  const ending = state.ended?.ending ?? 'achieved';
  if (ending === 'undone') return `This goal was undone; nothing is left of it: ${goal}`;
  return isNoLongerProved({ sinceEnd })
    ? `This goal was achieved, and nothing proves that it still is: ${goal}`
    : `This goal is already finished (${ending}): ${goal}`;
}

const MAX_NAMED = 20;
const WORDS = {
  changed: 'changed',
  removed: 'removed',
  made: 'there again',
  unknown: 'unreadable',
};

/** What was found, and the commands that show or do more. */
export function repeatedRows(
  { state, sinceEnd }: Repeated,
  { diff, again }: { readonly diff: string; readonly again: Row },
): readonly Row[] {
  if (sinceEnd === undefined) return [again];
  const since: Row = { name: 'since', words: sinceText(sinceEnd) };
  if (isAsLeft(sinceEnd)) return [since, again];
  const kinds = Object.entries(WORDS).flatMap(([is, name]): Row[] => {
    const paths = sinceEnd.differs.filter((one) => one.is === is).map(({ path }) => visible(path));
    return paths.length === 0 ? [] : [{ name, words: firstOf(paths, MAX_NAMED, ', and ') }];
  });
  const proof = state.plan?.proof;
  // A check that reads an input is more than its command.
  const check: readonly Row[] =
    proof === undefined || proof.stdin
      ? []
      : [{ name: 'check', words: inLine(proof.cmd), isCommand: true }];
  return [...kinds, since, ...check, { name: 'show', words: inLine(diff), isCommand: true }, again];
}

function sinceText({ isComplete, compared, differs, notCompared }: SinceEnd): string {
  const files = plural(compared, 'file');
  const left = notCompared.map(oneLine);
  const rest =
    left.length === 0 ? '' : `; not compared, since nothing of it is kept: ${listed(left)}`;
  if (!isComplete) return `a part of the journal cannot be read, so not all can be compared${rest}`;
  if (compared === 0) return `the run left no file that could be compared${rest}`;
  if (differs.length > 0)
    return `${differs.length} of ${files} ${differs.length === 1 ? 'is' : 'are'} not as the run left ${compared === 1 ? 'it' : 'them'}; nothing was run${rest}`;
  return `nothing changed in the ${files} that the run made, changed or removed; others were not compared${rest}`;
}
