/** The folders in which, and below which, a worker or a server may work. */
import { resolve } from 'node:path';
import { userResources } from '../../host/user/user-resources.ts';
import { isInside } from '../../lib/files/absolute-paths.ts';
import { OPTIONS } from '../../options/table.ts';
import type { CommandContext } from '../command-context.ts';
import { checkWorkspace } from '../command-line/invocation.ts';

/** Absolute, with links resolved. Throws E_WORKSPACE if one is not a folder. */
export function rootsOf({ invocation, terminal }: CommandContext): readonly string[] {
  const { fs } = userResources(terminal);
  return (invocation.roots ?? [invocation.workspace]).map((root) =>
    fs.realpath(checkWorkspace(resolve(terminal.cwd, root), terminal.cwd, false, OPTIONS.roots)),
  );
}

/** The root that contains a folder; `null`: none does. */
export const rootOf = (
  roots: readonly string[],
  workspace: string,
  platform: NodeJS.Platform,
): string | null => roots.find((root) => isInside(root, workspace, platform)) ?? null;
