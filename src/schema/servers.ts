/** Servers of tools: how one is started, and what the journal says of it. */
import * as z from 'zod';
import { ProcessPlace } from './actions.ts';

/** A program that speaks MCP over its stdin and stdout. */
export interface ServerEntry {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Beside the harmless part of the environment. */
  readonly env?: { readonly [name: string]: string } | undefined;
  /** True: no run begins without it. */
  readonly required?: boolean | undefined;
}

export type ServerEntries = { readonly [name: string]: ServerEntry };

export const RunningServer = z.object({
  pid: z.number().int(),
  startTime: z.string(),
  place: ProcessPlace,
});
export type RunningServer = z.infer<typeof RunningServer>;

/** Those of the journal that have no end there. */
export type RunningServers = { readonly [name: string]: RunningServer };

/** Written before the program begins, so that a later start finds what a crash left. */
export const SERVER_STARTED = z.object({
  type: z.literal('server_started'),
  server: z.string(),
  ...RunningServer.shape,
});
export const SERVER_ENDED = z.object({ type: z.literal('server_ended'), server: z.string() });
