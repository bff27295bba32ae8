/** MCP servers: how each is reached, and what the journal says about those that are started. */
import * as z from 'zod';
import { ProcessPlace } from './actions.ts';
import { recordSchema } from './record-schema.ts';

interface AnyServer {
  /** True: no run begins without this server. */
  readonly required?: boolean | undefined;
}

/** A program that speaks MCP over its stdin and stdout. */
export interface ProgramServer extends AnyServer {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** In addition to the harmless part of the environment. */
  readonly env?: { readonly [name: string]: string } | undefined;
  /** The folder it starts in, absolute or relative to the workspace; left out: the workspace. */
  readonly cwd?: string | undefined;
  /** True: it runs in the sandbox of commands or not at all. */
  readonly sandbox?: boolean | undefined;
}

/** A server that is reached over HTTP, in the form that the protocol calls streamable. */
export interface WebServer extends AnyServer {
  /** An http or https address without name and password. */
  readonly url: string;
  /** Sent with every request to that host and to no other. */
  readonly headers?: { readonly [name: string]: string } | undefined;
}

/** A server over a TCP connection, one message per line. */
export interface SocketServer extends AnyServer {
  readonly host: string;
  readonly port: number;
}

export type ServerEntry = ProgramServer | WebServer | SocketServer;

export type ServerEntries = { readonly [name: string]: ServerEntry };

export const ServerProcess = z.object({
  pid: z.number().int(),
  startTime: z.string(),
  place: ProcessPlace,
});
export type ServerProcess = z.infer<typeof ServerProcess>;

/** The servers in the journal that have not ended. */
export type RunningServers = { readonly [name: string]: ServerProcess };

/** Written before the program begins, so that a later start finds what a crash left. */
export const SERVER_STARTED = recordSchema('server_started', {
  server: z.string(),
  ...ServerProcess.shape,
});
export const SERVER_ENDED = recordSchema('server_ended', { server: z.string() });

export const SERVER_RECORDS = [SERVER_STARTED, SERVER_ENDED] as const;
