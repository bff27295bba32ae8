/** The tools as the model of a run is told them: the same from its first request to its last. */
import type { ContextManager } from '../context-manager/context-manager.ts';
import type { ToolDefinition } from '../schema/turn.ts';
import type { Tool } from '../tools/contract.ts';
import { toolDefinitions } from '../tools/registry.ts';

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
