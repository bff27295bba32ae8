import type { TardigradeError } from '../../lib/errors.ts';
import { editDistance } from '../../lib/text/edit-distance.ts';
import { COMMAND_NAMES, NO_COMMANDS } from '../../options/commands.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { quotedGoal } from './quoted-goal.ts';

const ANSWER = `One answer without a conversation: ${AGENT} --exec "TEXT".`;
const GO_ON = `The last conversation: ${AGENT} chat --resume. The last run: ${AGENT} resume.`;
const ALL = `All commands: ${AGENT} --help.`;

/** Options of other programs, and what does the same here. */
export const OPTIONS_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['-p', ANSWER],
  ['--print', ANSWER],
  ['-c', GO_ON],
  ['--continue', GO_ON],
]);

/** A single word, as typed by someone who tries a command; a goal has more words. */
const BARE_WORD = /^[A-Za-z][\w.-]*$/;

/**
 * Pure: throws E_USAGE for a first word that is misspelt or looks like a command, so that no model starts work on it.
 * `agent run` takes a goal of one word.
 */
export function refuseNoGoal(word: string, operands: readonly string[]): void {
  if (NO_COMMANDS.has(word)) throw noCommand(word, ALL, operands);
  if (operands.length > 0) return;
  const meant = nearestCommand(word);
  if (meant !== null) throw noCommand(word, `Did you mean "${AGENT} ${meant}"?`, []);
  if (BARE_WORD.test(word)) throw noCommand(word, ALL, []);
}

function noCommand(word: string, advice: string, more: readonly string[]): TardigradeError {
  const goal = quotedGoal([word, ...more]);
  return usageError(
    `There is no command "${word}".`,
    `${advice} To work on it as a goal: ${AGENT} run ${goal}`,
  );
}

function nearestCommand(word: string): string | null {
  if (/\s/.test(word) || word.length < 3) return null;
  const nearest = COMMAND_NAMES.find((name) => editDistance(word.toLowerCase(), name) <= 2);
  if (nearest === undefined) return null;
  return nearest.length < 5 && editDistance(word, nearest) > 1 ? null : nearest;
}

/** Words that are neither options nor values of options. */
export const operandsIn = (
  words: readonly string[],
  takesValue: (word: string) => boolean,
): readonly string[] =>
  words.filter((word, at) => !word.startsWith('-') && !takesValue(words[at - 1] ?? ''));
