/** Which of a user's files a command may touch unasked, by what stands on the disk. */
import type { ContextManager } from '../context-manager/context-manager.ts';
import type { ToolContext } from '../tools/contract.ts';
import { gitIgnores } from '../workspace/git-ignored.ts';
import { builtInPlace } from './trials/built-in-place.ts';
import type { UnaskedChanges } from './users-files.ts';

interface UnaskedPort {
  readonly policy: Pick<UnaskedChanges, 'mayRemove'>;
  readonly context: Pick<ContextManager, 'state'>;
  readonly toolContext: Pick<ToolContext, 'fs' | 'workspace'>;
}

/** A build writes where git ignores files, and in a folder of its own. `builtAnew` then tries it. */
export function unaskedChangesByName({
  policy,
  context,
  toolContext,
}: UnaskedPort): UnaskedChanges {
  const isIgnored = gitIgnores(toolContext.fs, toolContext.workspace);
  const built = builtInPlace({ context, toolContext });
  return {
    mayRemove: policy.mayRemove,
    isOutput: (path) => isIgnored(path) || built.isWithin(path),
  };
}
