/** What an agent is made from, and what its session tells. */

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

/** Keys and addresses of providers, and servers of tools, by their names. */
export interface AIAgentConfig {
  /** Keys and addresses by the name of the provider, or one of your own. */
  readonly providers?: { readonly [name: string]: ProviderSettings | Provider };
  /** Servers of tools by name; those of `tools` are started. */
  readonly mcpServers?: ServerEntries;
}

/** What `AIAgent.create` takes; each provider is asked for each model, in this order. */
export interface AIAgentOptions {
  readonly config?: AIAgentConfig;
  /** Names, or providers of your own; each is asked for each of `models`, in this order. */
  readonly providers: readonly (string | Provider)[];
  readonly models: readonly string[];
  /** A text is the name of a server of `config.mcpServers`, an object is a tool. */
  readonly tools?: readonly (string | PlainTool | Toolset)[];
  readonly systemPrompt?: string;
  /** Left out: the system prompt is sent as the message of the user. */
  readonly userPrompt?: string;
  /** Left out: the model's own. */
  readonly temperature?: number;
  /** Attempts of a turn over all providers and models; and turns without a call that worked that are not counted. 3. */
  readonly maxRetries?: number;
  /** Turns; in the last one there are no tools. 30. */
  readonly maxTurns?: number;
  readonly callbacks?: { readonly onLog?: (entry: LogEntry) => void };
  /** A folder that the built-in tools work in; left out: there are none of these. */
  readonly workspace?: string;
  /** Rules of what may be done unasked, and of what may not. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Asked what no rule says; left out: it is refused. */
  readonly canUseTool?: CanUseTool;
  /** True allows whatever would be asked. */
  readonly yes?: boolean;
  /** True: the model has a shell, of which every line is asked about. */
  readonly shell?: boolean;
  readonly signal?: AbortSignal;
  /** Disk, time and processes; left out: this process's own. */
  readonly machine?: Machine;
}

/** What stands for the client of the servers: which of them are used, and nothing that could be closed. */
export interface AIAgentServers {
  readonly servers: readonly string[];
  /** What the model may call, as it is told the names. */
  readonly tools: readonly string[];
}
