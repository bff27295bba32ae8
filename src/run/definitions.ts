/** The tools as the model of a run is told them: the same from its first request to its last. */
import type { ContextManager } from '../context-manager/context-manager.ts';
import { tellsOfPlan } from '../round/known-tools.ts';
import type { ToolDefinition } from '../schema/turn.ts';
import type { Tool } from '../tools/contract.ts';
import { definitionsFor } from '../tools/registry.ts';
import { namesOf } from '../tools/toolset.ts';

/** The journalled ones; those of today before the first settings, and where only names are known. */
export function definitionsOf(
  { context }: { readonly context: Pick<ContextManager, 'state' | 'textOf'> },
  tools: readonly Tool[],
): () => readonly ToolDefinition[] {
  let read: { readonly from: unknown; readonly definitions: readonly ToolDefinition[] } | null =
    null;
  return () => {
    const { settings } = context.state;
    const from = settings?.tools ?? settings?.systemPrompt ?? null;
    if (read === null || read.from !== from) {
      const definitions = settings?.tools
        ? // Our own words, and their checksum held.
          (JSON.parse(context.textOf(settings.tools)) as readonly ToolDefinition[])
        : definitionsFor(tools, settings === null || tellsOfPlan(settings, namesOf(tools)));
      read = { from, definitions };
    }
    return read.definitions;
  };
}
