import { realpathSync } from 'node:fs';
import { parse } from 'node:path';
import { homeOfSystem } from '../../host/user/user-folders.ts';
import { misuse } from '../../lib/errors.ts';
import { orNull } from '../../lib/or-null.ts';
import type { CommandContext } from '../command-context.ts';
import { foldToWidth, printFolded } from '../render/text/fold.ts';
import { isYes } from './is-yes.ts';

/**
 * Asks whether the person means a folder that contains everything: their home or the root of the disk. Naming it with
 * `--workspace` is a yes. Throws E_USAGE if nobody can be asked.
 */
export async function meansThisFolder({ invocation, terminal }: CommandContext): Promise<boolean> {
  const { workspace, workspaceOption } = invocation;
  const what = workspaceOption === null ? wideFolder(workspace, terminal.env) : null;
  if (what === null) return true;
  if (!terminal.stdinIsTerminal || !terminal.stderr.isTerminal)
    throw misuse(
      `This is ${what}, and the model would see everything in it.`,
      'Go to the folder to work in, or name this one.',
      { option: 'workspace' },
    );
  const question = `This is ${what}: the model would see everything in it. Work here? [y/N] `;
  const answer = await terminal.ask(foldToWidth(question, terminal.stderr.size().columns - 1));
  if (isYes(answer)) return true;
  printFolded(
    terminal.stderr,
    'Nothing was started. Go to the folder to work in, or name it: --workspace\n',
  );
  return false;
}

/** `null` for any other folder. */
export function wideFolder(
  workspace: string,
  env: { readonly [name: string]: string | undefined },
): string | null {
  const real = realOf(workspace);
  if (parse(real).root === real) return 'the root of the disk';
  const homes = [env.HOME, env.USERPROFILE, homeOfSystem()].filter(Boolean).map(String);
  return homes.some((home) => realOf(home) === real) ? 'your home folder' : null;
}

const realOf = (path: string): string => orNull(() => realpathSync.native(path)) ?? path;
