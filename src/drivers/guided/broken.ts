/** No file that the user had is left behind as one that cannot even be read. Pure. */
import { isUnparsed } from '../../languages/unparsed.ts';
import type { RunState } from '../../schema/state.ts';
import type { Step } from '../../steps/step.ts';

/**
 * Once at the end: what was given comes back where the run left what does not parse, and nobody
 * changed it since. Whether the text that was given did parse is seen when it is put back.
 */
export function beforeEnd(step: Step, state: RunState): Step {
  if (step.do !== 'finish' || state.round?.origin === 'put_back') return step;
  // What was proved was proved with the files as they are.
  if (step.ending === 'achieved' && state.weighed?.isKnown !== false) return step;
  const files = Object.entries(state.files).flatMap(([path, { given, hash, isOwn, problems }]) =>
    isOwn === true && given !== null && given !== hash && problems.some(isUnparsed)
      ? [{ path, hash: given }]
      : [],
  );
  return files.length > 0 ? { do: 'put_back', files, onlyParsed: true } : step;
}
