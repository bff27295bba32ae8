/** A server's tool as a tool like any other. Its effects are unknown, so no call is repeated automatically. */
import type { ToolResult } from '../../schema/actions.ts';
import type { ToolDefinition } from '../../schema/model/turn.ts';
import type { CallArgs } from '../calls/args-schema.ts';
import type { Tool } from '../contract.ts';
import { failed, ready } from '../result.ts';
import { fittingResult } from '../truncate.ts';
import type { ServerTool } from './offered.ts';

/** Carries out a call; it never throws. */
export type CallServer = (tool: string, args: CallArgs, signal: AbortSignal) => Promise<ToolResult>;

export function serverTool(
  server: string,
  { name: tool, description, args: schema }: ServerTool,
  wire: { readonly name: string; readonly call: CallServer },
): Tool {
  return {
    name: wire.name,
    description,
    args: schema,
    touches: 'network',
    afterCrash: 'unknown',
    // Guided runs get no server tools: they would have to show all of them in every question.
    needs: { calls: true },
    server: { name: server, tool },
    mayWrite: true,
    target: () => ({ kind: 'other', text: `${server}.${tool}` }),
    prepare: async (args, context) =>
      ready(async ({ signal }) => fittingResult(await wire.call(tool, args, signal), context)),
  };
}

/** Stands in for a tool that the run was told of and that cannot be called now. @param why as in a result */
export const goneTool = (
  { name, description, parameters }: ToolDefinition,
  why: { readonly status: 'mcp_error' | 'connection_error'; readonly text: string },
): Tool => ({
  name,
  description,
  // The call is refused whatever its arguments are.
  args: { jsonSchema: parameters, parse: (args) => ({ ok: true, args }) },
  touches: 'nothing',
  afterCrash: 'repeat',
  prepare: async () => ({ kind: 'refused', result: failed(why.text, why.status) }),
});
