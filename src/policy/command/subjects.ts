/** A part of a command as the layers judge it. Pure. */
import { isVerbOf } from '../../languages/commands/allowed-commands.ts';
import { programName } from '../../languages/commands/program-name.ts';
import { isVisible } from '../../lib/text/visible.ts';
import { splitCommand } from '../../tools/commands/split-command.ts';
import type { Want } from '../../tools/decision.ts';
import type { Subject } from '../layers.ts';
import { quotedWord, ruleText } from '../rules/parse.ts';
import type { CommandPattern, Rule } from '../rules/rule.ts';
import { commandPattern, covers, literalPattern, matchesWords } from '../rules/words.ts';
import { pathsChanged } from './changing.ts';
import type { CommandOptions, CommandPart } from './contract.ts';
import { defaultFinding } from './defaults.ts';
import { isOwnProgram } from './parts.ts';
import { isReadOnlyProgram } from './read-only-programs.ts';

export function commandSubject(part: CommandPart, options: CommandOptions): Subject {
  const found = defaultFinding(part, options);
  // For a line behind a command only denials count; the command itself raises the question.
  const held = found?.effect === 'ask' && part.isLine ? null : found;
  const exact = commandPattern(part.words.map(literalPattern));
  return {
    base: held,
    needsApprovalBy: (rule) => isAbout(rule, part, () => true),
    isAllowedBy: (rule) =>
      holdsHere(rule, part, options) &&
      isAbout(rule, part, ({ onlyHolds, least }) => !onlyHolds && (!isWrapped(part) || least > 0)),
    isExact: ({ pattern }) =>
      pattern.kind === 'command' &&
      [exact, ...(held?.patterns ?? []).map(commandPattern)].some((wide) => covers(wide, pattern)),
    want: wantOf(part, held?.effect === 'ask' && held.isOffered, options),
  };
}

/**
 * An allowing rule was given for the workspace. If a command runs in a subfolder, a word that may be a path
 * names a different file there.
 */
function holdsHere({ pattern }: Rule, { words }: CommandPart, options: CommandOptions): boolean {
  if (!options.isElsewhere || pattern.kind !== 'command') return true;
  const [program = '', ...args] = words;
  const name = programName(program, options.platform);
  const named = pattern.words.slice(1);
  const isAboutFiles = isReadOnlyProgram(name) || pathsChanged(name, args).length > 0;
  return (
    named.length === 0 || (!isAboutFiles && named.every(({ text }) => /^[\w:@+=-]+$/.test(text)))
  );
}

/** The outer command causes the question, so a rule must name it. */
const isWrapped = ({ doubt, around }: CommandPart): boolean => doubt !== '' && around.length > 0;

const isAbout = (
  { pattern }: Rule,
  { forms }: CommandPart,
  counts: (form: CommandPart['forms'][number]) => boolean,
): boolean =>
  pattern.kind === 'command' &&
  forms.some((form) => counts(form) && matchesWords(pattern, form.words, form.least));

/** A rule is read as a command line is: no program of that name, or no such word, may be possible there. */
function isReadAgain({ words }: CommandPattern, { platform }: CommandOptions): boolean {
  const quoted = words.map(({ text }) => quotedWord(text));
  return !quoted.includes(null) && splitCommand(quoted.join(' '), platform).ok;
}

/**
 * The rule that would allow a command. A verb stands for itself with any further words; any other word stands
 * only for itself.
 */
function wantOf(part: CommandPart, isOffered: boolean, options: CommandOptions): Want {
  const [outermost] = part.around;
  const words = isWrapped(part) && outermost ? outermost : part.words;
  const [program = '', ...args] = words;
  const isOwn = isOwnProgram(program, options);
  const name = isOwn ? program : programName(program, options.platform);
  const [verb] = args;
  const isVerb =
    isOffered &&
    words === part.words &&
    verb !== undefined &&
    isVerbOf(name, verb) &&
    !options.exists(verb);
  const pattern = isVerb
    ? commandPattern([name, verb, '*'])
    : commandPattern([name, ...args].map(literalPattern));
  // A word that cannot be written or shown in a rule can be allowed only by consent.
  const isWritten =
    isReadAgain(pattern, options) &&
    pattern.words.every(({ text }) => isVisible(text)) &&
    holdsHere({ pattern, text: '' }, part, options);
  return { rule: isWritten ? ruleText(pattern) : null, isOffered: isOffered && isWritten };
}
