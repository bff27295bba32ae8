/** The tools as the model of a run is told them: the same from its first request to its last. */
import type { ContextManager } from '../context-manager/context-manager.ts';
import { traitsOf } from '../schema/driver.ts';
import type { ToolDefinition } from '../schema/turn.ts';
import type { Tool } from '../tools/contract.ts';
import { offeredOf, toolDefinitions } from '../tools/registry.ts';
import { insteadOf } from '../tools/toolset.ts';

/**
 * The journalled ones, whatever the tools of today say of themselves; those of today before the
 * first settings, and in a run of which only the names are known.
 */
export function definitionsOf(
  { context }: { readonly context: Pick<ContextManager, 'state' | 'textOf'> },
  tools: readonly Tool[],
): () => readonly ToolDefinition[] {
  const today = toolDefinitions(tools);
  let read: { readonly from: unknown; readonly definitions: readonly ToolDefinition[] } | null =
    null;
  return () => {
    const from = context.state.settings?.tools ?? null;
    if (from === null) return today;
    if (read?.from !== from) {
      // Our own words, and their checksum held.
      const definitions = JSON.parse(context.textOf(from)) as readonly ToolDefinition[];
      read = { from, definitions };
    }
    return read.definitions;
  };
}

/**
 * What to use instead of a program, among the tools that the model was told of and can call: who
 * leads is known later than this, and may change.
 */
export const insteadOfIn = (
  context: Pick<ContextManager, 'state'>,
  tools: readonly Tool[],
  definitions: () => readonly ToolDefinition[],
): Pick<ReadonlyMap<string, string>, 'get'> => ({
  get: (program) => {
    const told = tools.filter((tool) => definitions().some(({ name }) => name === tool.name));
    const { callsTools } = traitsOf(context.state.settings);
    return insteadOf(offeredOf(told, { callsTools, window: Number.POSITIVE_INFINITY })).get(
      program,
    );
  },
});
