/**
 * Owns the connections to one server. They are opened with the first request; after `close`
 * nothing is held.
 */
import { readLines } from './read-lines.ts';
import {
  type Call,
  type Connection,
  openConnection,
  readText,
  send,
  type Target,
} from './transport.ts';

export interface Client {
  /** The answer to a small question. Throws a SyntaxError where it is no JSON. */
  ask(call: Call): Promise<unknown>;
  /** The lines of a streamed answer. */
  stream(call: Call): AsyncGenerator<unknown>;
  close(): void;
}

export function createClient(target: Target): Client {
  let opened: Promise<Connection> | null = null;
  const request = async (call: Call) => {
    opened ??= openConnection(target);
    return await send(await opened, target, call);
  };
  return {
    ask: async (call) => JSON.parse(await readText(await request(call))),
    async *stream(call) {
      yield* readLines(await request(call), { url: target.url, model: call.model });
    },
    close() {
      void opened?.then(({ agent }) => agent.destroy());
      opened = null;
    },
  };
}
