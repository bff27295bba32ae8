/** A call that was parsed once: exactly this one is judged and carried out. Pure. */
import type { ToolCall } from '../../schema/model/messages.ts';
import { type SplitCommand, splitCommand } from '../commands/split-command.ts';
import type { CallTarget, Tool, ToolContext } from '../contract.ts';
import { type ValidCall, validateCall } from './validate-call.ts';

export interface ReadCall {
  readonly valid: ValidCall;
  /** Set for a command. */
  readonly line: SplitCommand | null;
}

type ReadingPort = Pick<ToolContext, 'processes' | 'background'>;

export function readCall(
  call: ToolCall,
  { tools, context }: { readonly tools: readonly Tool[]; readonly context: ReadingPort },
): ReadCall {
  const valid = validateCall(call, tools, context.background === undefined);
  return { valid, line: valid.kind === 'valid' ? splitCommandOf(valid.target, context) : null };
}

/** The line of a command as its tool parses it; `null`: the call is not about a command. */
export const splitCommandOf = (
  target: CallTarget | null,
  { processes, background }: ReadingPort,
): SplitCommand | null =>
  target?.kind === 'command'
    ? splitCommand(target.text, processes.platform, background !== undefined)
    : null;
