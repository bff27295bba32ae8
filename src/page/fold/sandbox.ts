/** Says what the commands of a run can reach. Pure. */
import type { SandboxHere } from '../../server/api/schemas.ts';

/** '': the mode in the settings. */
export type SandboxWish = '' | SandboxHere['usual'];

export const isConfined = (choice: SandboxWish, here: SandboxHere): boolean =>
  (choice || here.usual) !== 'off' && here.holds;

/** @param here `undefined`: the server has not reported it yet */
export function sayReach(choice: SandboxWish, here: SandboxHere | undefined): string {
  if (here === undefined) return '';
  const mode = choice || here.usual;
  if (isConfined(choice, here))
    return `Commands run in a sandbox (${here.what}): they write only in the folder, have no network, and see of your home only programs. One that you say yes to may run outside.`;
  if (mode === 'require') return `It cannot begin: a sandbox is required, and ${here.what}.`;
  const why = mode === 'off' ? 'the sandbox is off' : here.what;
  return `Commands run with your own rights, because ${why}: a command could answer questions in your place.`;
}
