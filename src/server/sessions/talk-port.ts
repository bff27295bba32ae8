/** Opening a conversation, as the server needs it; the command line fulfils it, with its settings. */
import type { ChatRequest } from '../../host/chat-host.ts';
import type { Effort } from '../../schema/config.ts';
import type { SessionEmit } from '../../schema/events/events.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { ServerEntries } from '../../schema/servers.ts';
import type { Session } from '../../sessions/session.ts';

export interface TalkRequest {
  /** Absolute real path. */
  readonly workspace: string;
  /** The id of one that is there; `null`: a new one. */
  readonly session: string | null;
  readonly name?: string | undefined;
  /** PROVIDER/NAME or NAME; left out: what it was held with, else the usual one. */
  readonly model?: string | undefined;
  readonly toolMode?: 'auto' | 'native' | 'json' | undefined;
  readonly temperature?: number | undefined;
  readonly maxIterations?: number | undefined;
  readonly effort?: Effort | undefined;
  /** In the place of those of the user's settings. */
  readonly servers?: ServerEntries | undefined;
  /** Absolute paths of logs: no folder shows them. */
  readonly hiddenFiles?: readonly string[] | undefined;
  readonly systemPrompt?: string | undefined;
  /** What was said elsewhere before: a new one goes on from there. */
  readonly messages?: readonly Message[] | undefined;
  /** Of a new one; left out: one is made up. */
  readonly id?: string | undefined;
  readonly ask?: ChatRequest['ask'];
  readonly hooks?: ChatRequest['hooks'];
  /** In the place of both: whoever watches it is asked, and may do something. */
  readonly live?: ChatRequest['live'];
  readonly onEvent: SessionEmit;
  readonly signal: AbortSignal;
}

export interface OpenTalk {
  readonly session: Session;
  readonly model: string;
  /** Does what a line behind a slash says; the words that it says. Rejects for what is none. */
  command(line: string, place: CommandPlace): Promise<string>;
  close(): Promise<void>;
}

export interface CommandPlace {
  readonly signal: AbortSignal;
  /** Goes on with another model; the session that goes on. */
  switchModel(name: string): Promise<Session>;
}

export interface TalkPort {
  /** Rejects with what opening it says. */
  open(request: TalkRequest): Promise<OpenTalk>;
}
