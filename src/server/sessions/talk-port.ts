/** Opens a conversation for the server; the command line provides this, with its settings. */
import type { ChatRequest } from '../../host/chat-host.ts';
import type { StoredTalk } from '../../host/work-files.ts';
import type { Effort } from '../../schema/config.ts';
import type { SessionEmit } from '../../schema/events/events.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { ServerEntries } from '../../schema/servers.ts';
import type { Session } from '../../sessions/session.ts';

export interface TalkRequest extends Omit<StoredTalk, 'session' | 'messages'> {
  /** The id of an existing conversation; `null`: a new one. */
  readonly session: string | null;
  readonly effort?: Effort;
  /** Replaces the servers from the user's settings. */
  readonly servers?: ServerEntries;
  /** Absolute paths of logs, which are hidden from the work. */
  readonly hiddenFiles?: readonly string[];
  /** Earlier messages from elsewhere: a new conversation continues from them. */
  readonly messages?: readonly Message[];
  /** The id of a new conversation; left out: one is generated. */
  readonly id?: string;
  readonly ask?: ChatRequest['ask'];
  readonly hooks?: ChatRequest['hooks'];
  /** Replaces both: watchers are asked, and may send messages. */
  readonly live?: ChatRequest['live'];
  readonly onEvent: SessionEmit;
  readonly signal: AbortSignal;
}

export interface OpenTalk {
  readonly session: Session;
  /** Carries out a slash command and resolves with its output. Rejects for any other text. */
  command(line: string, place: CommandPlace): Promise<string>;
  close(): Promise<void>;
}

export interface CommandPlace {
  readonly signal: AbortSignal;
  /** Continues with another model; resolves with the new session. */
  switchModel(name: string): Promise<Session>;
}

export interface TalkPort {
  /** Rejects with the error of opening it. */
  open(request: TalkRequest): Promise<OpenTalk>;
}
