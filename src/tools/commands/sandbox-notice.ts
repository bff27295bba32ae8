/** Tells a model about the sandbox around a program. */
import type { ProcessOutcome } from '../../processes/contract.ts';

/** Without it, a model would look for the fault in its own work. */
export function sandboxNotice({ sandbox }: ProcessOutcome, wentWell: boolean): readonly string[] {
  if (sandbox === undefined) return [];
  const { putAside } = sandbox;
  const names = putAside.slice(0, 5).join(', ');
  return [
    wentWell ? '' : 'it ran confined: no network, files only in the workspace, none that hold keys',
    names === ''
      ? ''
      : `while it ran there appeared what only the user may allow, and that was put aside: ${names}; if it is yours, write it with a tool for files, which asks`,
  ];
}
