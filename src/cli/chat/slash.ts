/**
 * The slash commands. A message is a command if its first word is `/` and small letters, digits or hyphens; a path is
 * text. An unknown command is reported, and nothing is sent.
 */

import type { InterruptibleRunner } from '../../lib/interruptible.ts';
import type { Giver } from '../../schema/journal/permissions.ts';
import type { Session } from '../../sessions/session.ts';
import { nearNames } from '../../workspace/near-names.ts';
import type { CommandContext } from '../command-context.ts';
import type { CompletionChoice } from '../screen/complete.ts';

export interface SlashPlace {
  readonly context: CommandContext;
  session(): Session;
  say(text: string): void;
  /** Shows text of any number of lines, unchanged. */
  show(text: string): void;
  /** Gives the terminal away until the returned function is called. */
  hold(): () => void;
  /** Toggles whether the model's thoughts are shown; returns the new value. */
  toggleThoughts(): boolean;
  /** Continues in a new session and puts the former one away. */
  clear(): Promise<void>;
  switchModel(name: string): Promise<void>;
  leave(): void;
  /** Who types the command, and where. */
  readonly giver: Giver;
  readonly signal: AbortSignal;
  /** Ended by the signal. */
  readonly runInterruptibly: InterruptibleRunner;
}

export interface SlashCommand {
  readonly about: string;
  /** The text for its arguments. */
  readonly takes?: string;
  /** Another name of a command; it is not listed. */
  readonly isAlias?: true;
  run(text: string, place: SlashPlace): Promise<void> | void;
}

export type SlashTable = { readonly [name: string]: SlashCommand };

export interface Slash {
  readonly name: string;
  readonly text: string;
}

/** `null` for a message. */
export function slashIn(message: string): Slash | null {
  const [, name, text = ''] = /^\/([a-z][a-z0-9-]*)(?:\s+([\s\S]*))?$/.exec(message.trim()) ?? [];
  return name === undefined ? null : { name, text: text.trim() };
}

/** @param names of all commands. @param all the command that lists them all */
export function unknownSlash(name: string, names: readonly string[], all = '/help'): string {
  const near = names.find((one) => one.startsWith(name)) ?? nearNames(name, names)[0];
  const advice = near === undefined ? `All commands: ${all}` : `Did you mean /${near}?`;
  return `There is no command /${name}, and nothing was sent. ${advice}`;
}

export const slashChoices = (table: SlashTable): readonly CompletionChoice[] =>
  Object.entries(table)
    .filter(([, { isAlias }]) => isAlias !== true)
    .map(([name, { about, takes }]) => ({ text: `/${name}`, about, takes }));

export function helpText(table: SlashTable, own: readonly CompletionChoice[] = []): string {
  const rows = [...slashChoices(table), ...own].map(
    ({ text, takes = '', about }): [string, string] => [
      `${text}${takes === '' ? '' : ` ${takes}`}`,
      about,
    ],
  );
  const width = Math.max(...rows.map(([call]) => call.length)) + 2;
  const keys = [
    'Enter sends; Ctrl+J, or a backslash at the end of a line, begins a new line.',
    'Tab completes; the arrows recall what was said, Ctrl+R searches it.',
    '@ and the name of a text file or an image sends it with the message.',
    '! and a command runs it here, under the rules; the model sees what came of it.',
    'Ctrl+C stops the answer, twice leaves; Ctrl+D leaves.',
  ];
  return [...rows.map(([call, about]) => `${call.padEnd(width)}${about}`), ...keys].join('\n');
}
