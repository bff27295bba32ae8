/** The question that execution puts to a policy before a tool prepares anything, and the answers. */

import { defined } from '../lib/defined.ts';
import type { Touches } from '../schema/actions.ts';
import { isEdit } from '../schema/capability.ts';
import type { Args } from './calls/args-schema.ts';
import type { SplitCommand } from './commands/split-command.ts';
import type { Reach, Target, Tool } from './contract.ts';

export interface PolicyRequest {
  readonly tool: string;
  readonly touches: Touches;
  /** What the call is about; `null`: its tool does not say. */
  readonly target: Target | null;
  /** Of a command: its line as it was read; left out: nobody has read it yet. */
  readonly line?: SplitCommand;
  /** Every path that it reads or changes. */
  readonly reaches: readonly Reach[];
  /** Of a tool that a server offers. */
  readonly server?: Tool['server'];
  /** Of a tool of the embedding program. */
  readonly own?: Tool['own'];
  /** Validated, defaults filled in. */
  readonly args: Args;
  /** Who wants it: `engine` for checks and the proof. */
  readonly asker: 'model' | 'engine';
}

export type Decision =
  /**
   * `isUnsandboxed`: outside of the sandbox around commands, where there is one. `isAllowedByUser`: a person, or a rule of the
   * user's, allowed this very call.
   */
  | { readonly kind: 'allow'; readonly isUnsandboxed?: boolean; readonly isAllowedByUser?: boolean }
  /** Both for the model: why not, and what can be done instead. */
  | { readonly kind: 'deny'; readonly reason: string; readonly hint: string }
  /** A person may allow it; as long as nobody can be asked it is denied with these words. */
  | {
      readonly kind: 'ask';
      readonly reason: string;
      readonly hint: string;
      readonly wants: readonly Want[];
    };

/** A rule that would allow a call. */
export interface Want {
  /** `null`: no rule would, only a yes to this one call. */
  readonly rule: string | null;
  /** Whether it may be kept for further calls by one key. */
  readonly isOffered: boolean;
  /** It is kept for this run at the longest. */
  readonly isForRunOnly?: true;
}

/** Allows, denies or asks, by the request alone; it may wait for a person. */
export type Decide = (request: PolicyRequest) => Promise<Decision>;

/** What a call of a tool asks of a policy. */
export const requestOf = (
  tool: Tool,
  args: Args,
  asker: PolicyRequest['asker'],
  line: SplitCommand | null = null,
): PolicyRequest => {
  const target = tool.target?.(args) ?? null;
  return {
    ...{ tool: tool.name, touches: tool.touches, target, args, asker },
    reaches: tool.reaches?.(args) ?? reachOf(tool, target),
    ...defined({ line: line ?? undefined, server: tool.server, own: tool.own }),
  };
};

/** An edit shows what is around it where it fails. */
function reachOf(tool: Tool, target: Target | null): readonly Reach[] {
  if (target === null || (target.kind !== 'file' && target.kind !== 'folder')) return [];
  const { touches } = tool;
  const path = target.text;
  if (touches === 'reads') return [{ does: 'read', path }];
  if (touches !== 'files') return [];
  return isEdit(tool)
    ? [
        { does: 'read', path },
        { does: 'edit', path },
      ]
    : [{ does: 'edit', path }];
}
