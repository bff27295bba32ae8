/**
 * Owns the connection pool to one server. The libraries are loaded and the pool is made at the
 * first request; after `close` nothing is held.
 */
import type { Agent } from 'undici';
import { createAgent, type Libraries, loadLibraries, requestFetch } from './transport.ts';

export type Client = InstanceType<Libraries['Ollama']>;

export interface Connector {
  /** A client for one request: its `fetch` is bound to this signal. */
  client(model: string, signal: AbortSignal): Promise<Client>;
  close(): Promise<void>;
}

export function connector(host: string, headers: Readonly<Record<string, string>>): Connector {
  let opened: Promise<{ libraries: Libraries; agent: Agent }> | null = null;
  const open = async () => {
    const libraries = await loadLibraries();
    return { libraries, agent: createAgent(libraries) };
  };
  return {
    async client(model, signal) {
      opened ??= open();
      const { libraries, agent } = await opened;
      const fetch = requestFetch(libraries, agent, signal, { url: host, model });
      return new libraries.Ollama({ host, headers: { ...headers }, fetch });
    },
    async close() {
      const { agent } = (await opened) ?? {};
      opened = null;
      await agent?.destroy();
    },
  };
}
