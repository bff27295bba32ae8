/** The question that execution asks a policy before a tool prepares anything, and the answers. */

import { defined } from '../lib/defined.ts';
import type { Touches } from '../schema/actions.ts';
import { isEdit } from '../schema/capability.ts';
import type { CallArgs } from './calls/args-schema.ts';
import type { SplitCommand } from './commands/split-command.ts';
import type { CallTarget, Reach, Tool } from './contract.ts';

export interface PolicyRequest {
  readonly tool: string;
  readonly touches: Touches;
  /** The object of the call; `null`: its tool names none. */
  readonly target: CallTarget | null;
  /** For a command: its parsed line; left out: not parsed yet. */
  readonly line?: SplitCommand;
  /** Every path that it reads or changes. */
  readonly reaches: readonly Reach[];
  /** For a server's tool. */
  readonly server?: Tool['server'];
  /** For a tool of the embedding program. */
  readonly own?: Tool['own'];
  /** Validated, with defaults filled in. */
  readonly args: CallArgs;
  /** Who wants the call: `engine` for checks and the proof. */
  readonly asker: 'model' | 'engine';
}

export type CallDecision =
  /**
   * `isUnsandboxed`: runs outside the sandbox, if there is one. `isAllowedByUser`: a person or a user's rule
   * allowed exactly this call.
   */
  | { readonly kind: 'allow'; readonly isUnsandboxed?: boolean; readonly isAllowedByUser?: boolean }
  /**
   * Two texts for the model: why it is denied, and what can be done instead. `rules`: those of the user that would
   * allow it; left out if none can.
   */
  | {
      readonly kind: 'deny';
      readonly reason: string;
      readonly hint: string;
      readonly rules?: readonly string[];
    }
  /** A person may allow the call; if nobody can be asked, it is denied with these words. */
  | {
      readonly kind: 'ask';
      readonly reason: string;
      readonly hint: string;
      readonly wants: readonly Want[];
    };

/** A rule that would allow a call. */
export interface Want {
  /** `null`: no rule can, only consent to this one call. */
  readonly rule: string | null;
  /** Whether a single key may keep it for further calls. */
  readonly isOffered: boolean;
  /** The answer lasts at most for this run. */
  readonly isForRunOnly?: true;
}

/** Allows, denies or asks, from the request alone; it may wait for a person. */
export type Decide = (request: PolicyRequest) => Promise<CallDecision>;

/** The question about a call of a tool. */
export const policyRequestOf = (
  tool: Tool,
  args: CallArgs,
  asker: PolicyRequest['asker'],
  line: SplitCommand | null = null,
): PolicyRequest => {
  const target = tool.target?.(args) ?? null;
  return {
    tool: tool.name,
    touches: tool.touches,
    target,
    args,
    asker,
    reaches: tool.reaches?.(args) ?? reachOf(tool, target),
    ...defined({ line: line ?? undefined, server: tool.server, own: tool.own }),
  };
};

/** A failed edit shows the text around it, so an edit also reads. */
function reachOf(tool: Tool, target: CallTarget | null): readonly Reach[] {
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
