/** What the side of the protocol needs of the program, which the command line fulfils, and of the editor. */
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
import type { Asked, Choose } from './permission.ts';

/** The editor, as one conversation knows it. */
export interface Editor {
  update(update: SessionUpdate): void;
  readonly choose: Choose;
  /** Whether it has a place of its own for notices. */
  readonly hasNotices: boolean;
}

export interface NamedServers {
  /** Absolute real path. */
  readonly workspace: string;
  /** Those that the editor names. */
  readonly named: readonly McpServer[];
}

/** Puts the question whether a server may be used: the option that was chosen. */
export type AskServer = (asked: Asked) => Promise<string | null>;

export interface AgreedServers {
  /** Of the user's settings, and those that the person agreed to. */
  readonly entries: ServerEntries;
  /** Of how many the person has still to be asked. */
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

/** A command behind a slash, and what it may do with the conversation. */
export interface CommandCall {
  readonly name: string;
  readonly text: string;
  readonly at: NamedServers;
  session(): Session;
  readonly signal: AbortSignal;
  say(text: string): void;
  /** Text as it is, line by line. */
  show(text: string): void;
  switchModel(name: string): Promise<void>;
  /** Who watches a run that it begins. */
  readonly run: { readonly ask: Ask; readonly askPlan: AskPlan; emit(event: RunEvent): void };
}

export interface EditorPlace {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly version: string;
  readonly talk: TalkPort;
  /** The absolute real path of a folder that may be worked in. Throws E_WORKSPACE, E_USAGE. */
  folder(cwd: string): string;
  /** @param ask `null`: nobody can be asked yet */
  servers(named: NamedServers, ask: AskServer | null, signal: AbortSignal): Promise<AgreedServers>;
  /** @param workspace `null`: of all folders that are known */
  list(workspace: string | null): readonly ListedTalk[];
  /** As `--model` takes them; those of the same provider, since nobody else may be asked unasked. */
  models(settings: NonNullable<RunState['settings']>): Promise<readonly string[]>;
  /** The same of a conversation. */
  modelOf(settings: NonNullable<RunState['settings']>): string;
  readonly commands: readonly CommandChoice[];
  /** `null` for what is a message. */
  commandIn(text: string): { readonly name: string; readonly text: string } | null;
  /** Rejects with what the person is to be told. */
  command(call: CommandCall): Promise<void>;
  /** An error as a person should read it, with what to do next. */
  wordsOf(error: unknown): { readonly code: string; readonly text: string };
}

/** Why work stops, in the words of its end. */
export const stopped = (why: string): Error =>
  Object.assign(new Error(why), { name: 'Interruption' });
