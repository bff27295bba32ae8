/** The folders that a worker may work in, and below. */
import { resolve } from 'node:path';
import { userResources } from '../../host/user/user-resources.ts';
import { isInside } from '../../workspace/jail.ts';
import type { CommandContext } from '../command-context.ts';
import { checkWorkspace } from '../command-line/invocation.ts';

/** Absolute, without links. Throws E_WORKSPACE for what is no folder. */
export function rootsOf({ invocation, terminal }: CommandContext): readonly string[] {
  const { fs } = userResources(terminal);
  return (invocation.roots ?? [invocation.workspace]).map((root) =>
    fs.realpath(checkWorkspace(resolve(terminal.cwd, root), terminal.cwd, false)),
  );
}

/** The one that a folder lies in; `null`: it lies in none. */
export const rootOf = (
  roots: readonly string[],
  workspace: string,
  platform: NodeJS.Platform,
): string | null =>
  roots.find((root) => root === workspace || isInside(root, workspace, platform)) ?? null;
