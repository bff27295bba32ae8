/**
 * The commands behind a slash. A slash counts where the first word is `/` and small letters: a path is
 * text. What is no command is said, and nothing is sent.
 */

import type { Pauses } from '../../lib/pieces.ts';
import type { Session } from '../../sessions/session.ts';
import type { CommandContext } from '../command-context.ts';

/** What a command may do with the conversation that it is typed in. */
export interface SlashPlace {
  readonly context: CommandContext;
  session(): Session;
  /** A line for the person. */
  say(text: string): void;
  /** Text of any number of lines, as it is. */
  show(text: string): void;
  /** The terminal is somebody else's until the returned function is called. */
  hold(): () => void;
  /** Goes on in a new session; the one of before is put away. */
  clear(): Promise<void>;
  /** Goes on with another model. */
  switchModel(name: string): Promise<void>;
  leave(): void;
  readonly signal: AbortSignal;
  /** Ended by the signal. */
  readonly inPieces: Pauses;
}

export interface SlashCommand {
  readonly about: string;
  /** What stands behind it. */
  readonly takes?: string;
  run(text: string, place: SlashPlace): Promise<void> | void;
}

export type SlashTable = { readonly [name: string]: SlashCommand };

export interface Slash {
  readonly name: string;
  readonly text: string;
}

/** `null` for what is a message. */
export function slashIn(message: string): Slash | null {
  const [, name, text = ''] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(message.trim()) ?? [];
  return name === undefined ? null : { name, text: text.trim() };
}

export const unknownSlash = (name: string): string =>
  `There is no command /${name}, and nothing was sent. All commands: /help`;

export function helpText(table: SlashTable): string {
  const rows = Object.entries(table).map(([name, { takes = '', about }]): [string, string] => [
    `/${name}${takes === '' ? '' : ` ${takes}`}`,
    about,
  ]);
  const width = Math.max(...rows.map(([call]) => call.length)) + 2;
  const keys = [
    'Enter sends; Alt+Enter, or a backslash at the end of a line, begins a new line.',
    'Tab completes commands and file names; the arrows go through what was said.',
    'Ctrl+C stops the answer, twice leaves; Ctrl+D leaves.',
  ];
  return [...rows.map(([call, about]) => `${call.padEnd(width)}${about}`), ...keys].join('\n');
}
