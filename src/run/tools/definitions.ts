/** The tools as they are described to the model of a run: the same from the first request to the last. */

import type { ContextManager } from '../../context-manager/context-manager.ts';
import { driverOf } from '../../drivers/driver-of.ts';
import { mentionsPlanTool } from '../../round/model/known-tools.ts';
import type { ToolDefinition } from '../../schema/model/turn.ts';
import type { Tool } from '../../tools/contract.ts';
import { definitionsFor, offeredOf, plainDefinitions } from '../../tools/registry.ts';
import { programHints, toolNamesOf } from '../../tools/toolset.ts';

/** The journalled definitions. Today's are used before the first settings, and when only names are known. */
export function journalledDefinitions(
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
        ? // The engine wrote this text, and its checksum was verified.
          (JSON.parse(context.textOf(settings.tools)) as readonly ToolDefinition[])
        : settings === null || mentionsPlanTool(settings, toolNamesOf(tools))
          ? definitionsFor(tools, { callsTools: true, window: settings?.numCtx ?? 0 })
          : plainDefinitions(tools);
      read = { from, definitions };
    }
    return read.definitions;
  };
}

/** A resumed run has the tools that its model was told of. */
export function wasOffered(
  context: Pick<ContextManager, 'state' | 'textOf'>,
  { name, description }: Pick<Tool, 'name' | 'description'>,
): boolean {
  const { settings } = context.state;
  if (!settings?.tools) return false;
  const offered = JSON.parse(context.textOf(settings.tools)) as readonly ToolDefinition[];
  return offered.some((one) => one.name === name && one.description === description);
}

/**
 * Suggests a tool in place of a program, among the tools that the model was told of and can call. It is
 * computed on use, because the driver is known only later and may change.
 */
export const programHintsIn = (
  context: Pick<ContextManager, 'state'>,
  tools: readonly Tool[],
  definitions: () => readonly ToolDefinition[],
): Pick<ReadonlyMap<string, string>, 'get'> => ({
  get: (program) => {
    const offered = tools.filter((tool) => definitions().some(({ name }) => name === tool.name));
    const { callsTools } = driverOf(context.state.settings);
    return programHints(offeredOf(offered, { callsTools, window: Number.POSITIVE_INFINITY })).get(
      program,
    );
  },
});
