/** A tool of a server as a tool like others: what it does is its own, so nothing of it is made again by itself. */
import type { ToolResult } from '../../schema/actions.ts';
import type { ToolDefinition } from '../../schema/model/turn.ts';
import type { Args } from '../calls/args-schema.ts';
import type { Tool } from '../contract.ts';
import { failed } from '../result.ts';
import { truncateMiddle } from '../truncate.ts';
import type { ServerTool } from './offered.ts';

/** Carries a call out; it never throws. */
export type CallServer = (tool: string, args: Args, signal: AbortSignal) => Promise<ToolResult>;

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
    // One that is led would have to be shown all of them in each question.
    needs: { calls: true },
    server: { name: server, tool },
    mayWrite: true,
    target: () => ({ kind: 'other', text: `${server}.${tool}` }),
    prepare: async (args, { maxResultChars, withoutKeys }) => ({
      kind: 'ready',
      files: [],
      perform: async ({ signal }) => {
        const result = await wire.call(tool, args, signal);
        const whole = withoutKeys?.(result.content) ?? result.content;
        const content = truncateMiddle(whole, maxResultChars);
        return content === whole
          ? { ...result, content }
          : { ...result, content, fullContent: whole };
      },
    }),
  };
}

/** Stands for a tool that the run was told of and that cannot be called now. @param why as a result says it */
export const goneTool = (
  { name, description, parameters }: ToolDefinition,
  why: { readonly status: 'mcp_error' | 'connection_error'; readonly text: string },
): Tool => ({
  name,
  description,
  // Whatever it is called with, it is refused.
  args: { jsonSchema: parameters, parse: (args) => ({ ok: true, args }) },
  touches: 'nothing',
  afterCrash: 'repeat',
  prepare: async () => ({ kind: 'refused', result: failed(why.text, why.status) }),
});
