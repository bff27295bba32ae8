/** Pure: the next step after the way in which a command ended, and whether it wanted input. */

import { LANGUAGES } from '../languages.ts';
import type { CommandSeen } from './command-seen.ts';

/** One or two sentences for the model. @param asked what the program printed before it wanted input, or `null` */
export function commandHint(seen: CommandSeen, asked: string | null): string | null {
  const { kind, exitCode, unexpanded } = seen;
  if (kind === 'timeout') return timeoutHint(seen);
  if (asked !== null) return inputHint(seen);
  // A program that succeeded may have expanded its own patterns.
  if (exitCode === 0 || unexpanded.length === 0) return null;
  return `There is no shell: ${unexpanded.join(' ')} was passed as it stands. Write out the names.`;
}

/**
 * What the program printed before it wanted input that was not there; `null` if it did not. Its last line is the
 * question, unless that line is complete: then the program reads without asking.
 */
export function asksForInput(seen: CommandSeen): string | null {
  for (const { output } of LANGUAGES) {
    const asked = output?.asksForInput(seen) ?? null;
    if (asked === null) continue;
    const said = asked.trim().slice(-600);
    return said !== '' && asked.endsWith('\n') ? `${said}\n` : said;
  }
  return null;
}

function timeoutHint({ timeoutSec, hasStdin }: CommandSeen): string {
  const input = hasStdin
    ? 'If it waits for more input, give more lines in stdin, with the one that ends the program last.'
    : 'If it reads input, give it in stdin.';
  return `It did not end within ${timeoutSec} s. Look for a loop that never ends or a server. ${input} If it only needs longer, raise timeout_sec.`;
}

const inputHint = ({ hasStdin }: CommandSeen): string =>
  hasStdin
    ? 'The program asks for more input than stdin gave. Give one line for each question, and last the one that ends the program.'
    : 'The program asks for input. Run it again with stdin: one line for each question, and last the one that ends the program.';
