/** The options of an agent, and the data of its session. */

import type { Provider } from '../../../llm/provider.ts';
import type { CanUseTool } from '../../../round/permission/can-use-tool.ts';
import type { Machine } from '../../../run/machine.ts';
import type { LogEntry } from '../../../schema/events/log-entry.ts';
import type { Message } from '../../../schema/model/messages.ts';
import type { ServerEntries } from '../../../schema/servers.ts';
import type { PlainTool, Toolset } from '../../../tools/own/plain-tool.ts';
import type { ProviderSettings } from '../../config/accounts.ts';

/** A message of `AIAgentSession.conversation`. */
export type ConversationMessage = Message;

/** Keys and addresses of providers, and MCP servers, by name. */
export interface AIAgentConfig {
  /** Keys and addresses by the name of the provider, or one of your own. */
  readonly providers?: { readonly [name: string]: ProviderSettings | Provider };
  /** MCP servers by name; those named in `tools` are started. */
  readonly mcpServers?: ServerEntries;
}

/** Options of `AIAgent.create`; each provider is asked for each model, in this order. */
export interface AIAgentOptions {
  readonly config?: AIAgentConfig;
  /** Names, or providers of your own; each is asked for each of `models`, in this order. */
  readonly providers: readonly (string | Provider)[];
  readonly models: readonly string[];
  /** A string names a server of `config.mcpServers`, an object is a tool. */
  readonly tools?: readonly (string | PlainTool | Toolset)[];
  readonly systemPrompt?: string;
  /** Left out: the system prompt is sent as the user's message. */
  readonly userPrompt?: string;
  /** Left out: the model's own. */
  readonly temperature?: number;
  /** How many failed attempts over all models, and turns without a valid call, do not count as turns; 3. */
  readonly maxRetries?: number;
  /** The most turns; the last one has no tools; 30. */
  readonly maxTurns?: number;
  readonly callbacks?: { readonly onLog?: (entry: LogEntry) => void };
  /** A folder for the built-in tools; left out: there are none. */
  readonly workspace?: string;
  /** Rules of what is allowed without asking, and of what is denied. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Asked if no rule decides; left out: the call is refused. */
  readonly canUseTool?: CanUseTool;
  /** True allows whatever would be asked. */
  readonly yes?: boolean;
  /** True: the model has a shell, and every line of it is asked about. */
  readonly shell?: boolean;
  readonly signal?: AbortSignal;
  /** Disk, time and processes; left out: this process's own. */
  readonly machine?: Machine;
}

/** Takes the place of a client of the servers: names those in use, and has nothing to close. */
export interface AIAgentServers {
  readonly servers: readonly string[];
  /** The names of the tools, as the model sees them. */
  readonly tools: readonly string[];
}
