/** Pure: what a command's well-known outcome asks for next, and whether it wanted input. */
import type { CommandSeen, KnownNames } from './command-seen.ts';
import { firstHint } from './first-hint.ts';
import { LANGUAGES } from './languages.ts';

/** One or two sentences for the model; the first that has something to say, says it. */
export function commandHint(seen: CommandSeen, known: KnownNames): string | null {
  return (
    timeoutHint(seen) ?? languageHint(seen, known) ?? repositoryHint(seen) ?? unexpandedHint(seen)
  );
}

const languageHint = (seen: CommandSeen, known: KnownNames): string | null =>
  firstHint(
    LANGUAGES.flatMap(({ output }) => output?.hint ?? []),
    seen,
    known,
  );

/**
 * What the program printed before it wanted input that was not there; `null` when it did not. Its
 * last line is the question, unless it ends as a line does: then it reads without asking.
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

function timeoutHint({ kind, timeoutSec, stdinGiven }: CommandSeen): string | null {
  if (kind !== 'timeout') return null;
  const input = stdinGiven
    ? 'If it waits for more input, give more lines in stdin, with the one that ends the program last.'
    : 'If it reads input, give it in stdin.';
  return `It did not end within ${timeoutSec} s. Look for a loop that never ends or a server. ${input} If it only needs longer, raise timeout_sec.`;
}

function repositoryHint({ program, output }: CommandSeen): string | null {
  if (program !== 'git' || !/not a git repository/.test(output)) return null;
  return 'This folder is no git repository; go on without git.';
}

/** Only where something went wrong: a program may well expand its own patterns. */
function unexpandedHint({ unexpanded, exitCode }: CommandSeen): string | null {
  if (exitCode === 0 || unexpanded.length === 0) return null;
  return `There is no shell: ${unexpanded.join(' ')} was passed as it stands. Write out the names.`;
}
