/** What the protocol side needs from the program (the command line provides it) and from the editor. */
import type { McpServer, SessionUpdate } from '@agentclientprotocol/sdk';
import type { Clock } from '../../lib/clock.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { Ask } from '../../round/permission/answer.ts';
import type { AskPlan } from '../../round/plan/plan-review.ts';
import type { RunEvent } from '../../schema/events/events.ts';
import type { ServerEntries } from '../../schema/servers.ts';
import type { RunState } from '../../schema/state.ts';
import type { Session } from '../../sessions/session.ts';
import type { TalkPort } from '../sessions/talk-port.ts';
import type { Choose, PermissionPrompt } from './permission.ts';

/** The editor, as one conversation sees it. */
export interface Editor {
  update(update: SessionUpdate): void;
  readonly choose: Choose;
  /** Whether the editor shows notices in a place of their own. */
  readonly hasNotices: boolean;
}

export interface NamedServers {
  /** Absolute real path. */
  readonly workspace: string;
  /** Servers that the editor names. */
  readonly named: readonly McpServer[];
}

/** Asks whether a server may be used; resolves with the chosen option. */
export type AskServer = (asked: PermissionPrompt) => Promise<string | null>;

export interface AgreedServers {
  /** Servers of the user's settings, and those that the person agreed to. */
  readonly entries: ServerEntries;
  /** The number of servers about which the person must still be asked. */
  readonly waiting: number;
  /** Why others are left out, a sentence each. */
  readonly leftOut: readonly string[];
}

export interface ListedTalk {
  readonly id: string;
  readonly workspace: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
}

export interface CommandChoice {
  readonly name: string;
  readonly about: string;
  readonly takes?: string | undefined;
}

/** A slash command, and what it may do with the conversation. */
export interface CommandCall {
  readonly name: string;
  readonly text: string;
  readonly at: NamedServers;
  session(): Session;
  readonly signal: AbortSignal;
  say(text: string): void;
  /** Shows text unchanged, line by line. */
  show(text: string): void;
  switchModel(name: string): Promise<void>;
  /** Receives the events and questions of a run that the command begins. */
  readonly run: { readonly ask: Ask; readonly askPlan: AskPlan; emit(event: RunEvent): void };
}

export interface EditorPlace {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly version: string;
  readonly talk: TalkPort;
  /** The absolute real path of a folder in which work is allowed. Throws E_WORKSPACE, E_USAGE. */
  folder(cwd: string): string;
  /** @param ask `null`: nobody can be asked yet */
  servers(named: NamedServers, ask: AskServer | null, signal: AbortSignal): Promise<AgreedServers>;
  /** @param workspace `null`: all known folders */
  list(workspace: string | null): readonly ListedTalk[];
  /**
   * Names as `--model` takes them; only models of the same provider, since others may not be asked without a reason.
   */
  models(settings: NonNullable<RunState['settings']>): Promise<readonly string[]>;
  /** The model of a conversation, in the same form. */
  modelOf(settings: NonNullable<RunState['settings']>): string;
  readonly commands: readonly CommandChoice[];
  /** `null` for a message. */
  commandIn(text: string): { readonly name: string; readonly text: string } | null;
  /** Rejects with an error for the person. */
  command(call: CommandCall): Promise<void>;
  /** An error as a person should read it, with the next step. */
  wordsOf(error: unknown): { readonly code: string; readonly text: string };
}

/** An abort reason, in the words that the end of the work will show. */
export const interruptionFor = (why: string): Error =>
  Object.assign(new Error(why), { name: 'Interruption' });
