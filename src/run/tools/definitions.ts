/** The tools as the model of a run is told them: the same from its first request to its last. */

import type { ContextManager } from '../../context-manager/context-manager.ts';
import { driverOf } from '../../drivers/driver-of.ts';
import { mentionsPlanTool } from '../../round/model/known-tools.ts';
import type { ToolDefinition } from '../../schema/model/turn.ts';
import type { Tool } from '../../tools/contract.ts';
import { definitionsFor, offeredOf, plainDefinitions } from '../../tools/registry.ts';
import { namesOf, programHints } from '../../tools/toolset.ts';

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
        : settings === null || mentionsPlanTool(settings, namesOf(tools))
          ? definitionsFor(tools, { callsTools: true, window: settings?.numCtx ?? 0 })
          : plainDefinitions(tools);
      read = { from, definitions };
    }
    return read.definitions;
  };
}

/** A run that goes on has the tools that its model was told of. */
export function wasOffered(
  context: Pick<ContextManager, 'state' | 'textOf'>,
  { name, description }: Pick<Tool, 'name' | 'description'>,
): boolean {
  const { settings } = context.state;
  if (!settings?.tools) return false;
  const told = JSON.parse(context.textOf(settings.tools)) as readonly ToolDefinition[];
  return told.some((one) => one.name === name && one.description === description);
}

/**
 * What to use instead of a program, among the tools that the model was told of and can call: who
 * leads is known later than this, and may change.
 */
export const programHintsIn = (
  context: Pick<ContextManager, 'state'>,
  tools: readonly Tool[],
  definitions: () => readonly ToolDefinition[],
): Pick<ReadonlyMap<string, string>, 'get'> => ({
  get: (program) => {
    const told = tools.filter((tool) => definitions().some(({ name }) => name === tool.name));
    const { callsTools } = driverOf(context.state.settings);
    return programHints(offeredOf(told, { callsTools, window: Number.POSITIVE_INFINITY })).get(
      program,
    );
  },
});
