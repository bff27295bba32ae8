/** Servers of tools: how one is reached, and what the journal says of those that are started. */
import * as z from 'zod';
import { ProcessPlace } from './actions.ts';

interface AnyServer {
  /** True: no run begins without it. */
  readonly required?: boolean | undefined;
}

/** A program that speaks MCP over its stdin and stdout. */
export interface ProgramServer extends AnyServer {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Beside the harmless part of the environment. */
  readonly env?: { readonly [name: string]: string } | undefined;
  /** The folder it starts in, absolute or from the workspace on; left out: the workspace. */
  readonly cwd?: string | undefined;
  /** True: in the sandbox that commands have, or not at all. */
  readonly sandbox?: boolean | undefined;
}

/** One that is reached over HTTP, in the form that the protocol calls streamable. */
export interface WebServer extends AnyServer {
  /** Of http or https, without a name and a password. */
  readonly url: string;
  /** Sent with every request to that host, and to no other. */
  readonly headers?: { readonly [name: string]: string } | undefined;
}

/** One that speaks over a TCP connection, a message a line. */
export interface SocketServer extends AnyServer {
  readonly host: string;
  readonly port: number;
}

export type ServerEntry = ProgramServer | WebServer | SocketServer;

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

export const SERVER_RECORDS = [SERVER_STARTED, SERVER_ENDED] as const;
