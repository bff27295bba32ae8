import { Command, CommanderError, Option } from 'commander';
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import {
  COMMAND_GROUPS,
  COMMAND_NAMES,
  type CommandName,
  commandRow,
  isCommandName,
} from '../../options/commands.ts';
import type { OptionValues } from '../../options/option-values.ts';
import type { TypedFlags } from '../../options/read.ts';
import type { OptionRow } from '../../options/row.ts';
import {
  flagWords,
  HELP_FLAG,
  longFlag,
  OPTIONS,
  type OptionTable,
  optionsIn,
  optionsOf,
  rowsIn,
  takesValue,
  VERSION_FLAG,
} from '../../options/table.ts';
import { AGENT, USUAL_NAME, usageError } from '../process/program-name.ts';
import { foldToWidth } from '../render/text/fold.ts';
import { OPTIONS_ELSEWHERE, operandsIn, refuseNoGoal } from './bare-words.ts';
import { HELP_OF, helpAfter, withProviders } from './help.ts';

/** A command line, before its values are checked. */
export type Parsed =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }
  /** Neither goal nor command: at most options of a conversation. */
  | {
      readonly kind: 'alone';
      readonly options: TypedFlags;
      /** The words as typed. */
      readonly argv: readonly string[];
    }
  | {
      readonly kind: 'command';
      readonly command: CommandName;
      readonly operands: readonly string[];
      /** The words after `--`; left out: it was not typed. */
      readonly behind?: readonly string[];
      readonly options: TypedFlags;
      readonly wants?: NonNullable<OptionValues['wants']>;
      /** No word was typed at all. */
      readonly isBare?: true;
    };

const USUAL_COLUMNS = 80;
const MORE_OPTIONS = 'More options:';
const UNFOLDED = Number.POSITIVE_INFINITY;

/**
 * Throws E_USAGE with a hint for an invalid command line.
 * @param columns of a line of help
 * @param agent the name by which the program was started
 */
export async function parseArguments(
  argv: readonly string[],
  columns = USUAL_COLUMNS,
  table: OptionTable = OPTIONS,
  agent: string = USUAL_NAME,
): Promise<Parsed> {
  if (argv.length === 0) return { kind: 'alone', options: {}, argv };
  const takes: TakesValue = (word) => takesValue(word, table);
  const plain = withoutAliases(argv, table, takes);
  const words = withCommandFirst(plain, takes);
  if (words === 'version') return { kind: 'version' };
  const at = { columns, table, agent };
  if (words !== 'alone') return await parsedFrom(words, at);
  try {
    const chat = await parsedFrom(['chat', ...plain], at);
    if (chat.kind === 'command') return { kind: 'alone', options: chat.options, argv };
  } catch {
    // The words are options of a run whose goal is missing.
  }
  return await parsedFrom(['run', ...plain], at);
}

interface Parsing {
  readonly columns: number;
  readonly table: OptionTable;
  readonly agent: string;
}

async function parsedFrom(words: readonly string[], at: Parsing): Promise<Parsed> {
  const table = optionsIn(words, at.table);
  const usual = await parsedWith(words, { ...at, table }).catch(() => null);
  // Declares every command, for help and for an error that suggests a similar name.
  return usual?.kind === 'command' ? usual : await parsedWith(words, at);
}

async function parsedWith(
  words: readonly string[],
  { columns, table, agent }: Parsing,
): Promise<Parsed> {
  let parsed: Parsed | null = null;
  let written = '';
  const program = new Command(agent).configureOutput({
    writeOut: (text) => {
      written += text;
    },
    writeErr: () => {},
    getOutHelpWidth: () => UNFOLDED,
  });
  const end = words.indexOf('--');
  const [first = ''] = words;
  const names = isCommandName(first) ? [first] : COMMAND_NAMES;
  declare(program, names, table, (typed) => {
    parsed = { ...typed, ...(end < 0 ? {} : { behind: words.slice(end + 1) }) };
  });
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'help', text: foldToWidth(written, columns) };
    throw wrongOption(error.message, words);
  }
  return parsed ?? { kind: 'help', text: foldToWidth(program.helpInformation(), columns) };
}

type Typing = Extract<Parsed, { kind: 'command' }>;

/** @param names of the commands to declare: declaring all takes longer than loading most files */
function declare(
  program: Command,
  names: readonly CommandName[],
  table: OptionTable,
  keep: (typed: Typing) => void,
): void {
  program
    .usage(`[options] "goal" | ${program.name()} <command>`)
    .description('Works on a goal with a language model, and survives being killed at any moment.')
    .option(VERSION_FLAG, 'print the version')
    .helpOption(HELP_FLAG)
    .helpCommand(false)
    .enablePositionalOptions()
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', helpAfter(program.name()));
  for (const name of names) {
    const { about, operands, group } = commandRow(name);
    const command = program.command(name).description(about).helpGroup(COMMAND_GROUPS[group]);
    for (const one of operands?.match(OPERAND) ?? []) command.argument(one);
    const more = HELP_OF[name]?.(program.name());
    if (more !== undefined) command.addHelpText('after', more);
    // Excess words are refused later, in better words than the parser's.
    command.allowExcessArguments(true);
    const options = optionsOf(name, table).map(([called, row]) => {
      const option = optionFor(name, called, row);
      command.addOption(option);
      return [called, option.attributeName()] as const;
    });
    command.action(() => keep(asTyped(name, command, options)));
  }
}

function optionFor(name: CommandName, called: string, row: OptionRow) {
  const { flag = '', about, kind } = row;
  const { abouts, helpOptions: shows, works } = commandRow(name);
  const option = new Option(flag, abouts?.[called] ?? withProviders(about ?? ''));
  if (kind.typed === 'values') option.argParser(collect);
  // A run has many options, so the few that people use every day are listed apart.
  if (works === true && row.isFirst !== true) option.helpGroup(MORE_OPTIONS);
  return option.hideHelp(shows?.includes(called) === false);
}

/**
 * `agent ask` is a run that wants an answer. The parser sets a negated option to true by default, so only what was
 * typed counts.
 */
function asTyped(
  name: CommandName,
  command: Command,
  options: readonly (readonly [called: string, attribute: string])[],
): Typing {
  const typed = options.flatMap(([called, attribute]) => {
    const isTyped = (command.getOptionValueSource(attribute) ?? 'default') !== 'default';
    return isTyped ? [[called, wordsOf(command.getOptionValue(attribute))]] : [];
  });
  const words = { operands: command.args, options: Object.fromEntries(typed) };
  return name === 'ask'
    ? { kind: 'command', command: 'run', ...words, wants: 'answer' }
    : { kind: 'command', command: name, ...words };
}

const wordsOf = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : [];

/** One operand: `[file or run]`. */
const OPERAND = /\[[^\]]*\]/g;

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** Whether the option takes the next word, so that a value is never mistaken for a goal. */
type TakesValue = (word: string) => boolean;

/** Each option under its own name; values and everything after `--` stay as they are. */
function withoutAliases(
  argv: readonly string[],
  table: OptionTable,
  takesValue: TakesValue,
): readonly string[] {
  const end = argv.indexOf('--');
  return argv.map((word, at) => {
    if ((end >= 0 && at > end) || takesValue(argv[at - 1] ?? '')) return word;
    const [, flag = '', value = ''] = /^(--[a-z-]+)(=.*)?$/s.exec(word) ?? [];
    const meant = rowsIn(table).find(([, { also }]) => also?.includes(flag))?.[1];
    return meant === undefined ? word : longFlag(meant) + value;
  });
}

/**
 * Puts the command word first, or `run` if there is none. Options may come before or after that word. A
 * leading `--` begins a goal. `alone`: there are only options.
 */
function withCommandFirst(
  argv: readonly string[],
  takesValue: TakesValue,
): readonly string[] | 'version' | 'alone' {
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    const rest = [...argv.slice(0, index), ...argv.slice(index + 1)];
    if (word === '--') return ['run', ...argv];
    if (flagWords({ flag: VERSION_FLAG }).includes(word)) return 'version';
    if (word === '--exec' || word.startsWith('--exec='))
      return ['chat', ...withoutWord(argv, 'chat', takesValue)];
    // The parser refuses such an option, and the error names the one to use here.
    if (OPTIONS_ELSEWHERE.has(word)) return ['run', ...argv];
    if (takesValue(word)) index += 1;
    else if (word === '-' || !word.startsWith('-')) {
      if (word === 'plan' && operandsIn(rest, takesValue).some((one) => !/^\d+$/.test(one)))
        return ['run', '--plan', ...rest];
      if (isCommandName(word)) return [word, ...rest];
      if (word === 'version' && rest.every(isHelp)) return 'version';
      if (word === 'help') return rest.length > 0 ? [...rest, '--help'] : ['--help'];
      if (word !== '-' && !argv.includes('--')) refuseNoGoal(word, operandsIn(rest, takesValue));
      return ['run', ...argv];
    }
  }
  return argv.some(isHelp) ? ['--help'] : 'alone';
}

const isHelp = (word: string): boolean => flagWords({ flag: HELP_FLAG }).includes(word);

/** Removes the first `word` that is not the value of an option. */
function withoutWord(
  argv: readonly string[],
  word: string,
  takesValue: TakesValue,
): readonly string[] {
  const at = argv.findIndex((one, index) => one === word && !takesValue(argv[index - 1] ?? ''));
  return at < 0 ? argv : [...argv.slice(0, at), ...argv.slice(at + 1)];
}

/** @param chat the command that begins a conversation instead, if the options allow one */
export function noGoal(chat: string | null = null): TardigradeError {
  const goal = `Say what should be done: ${AGENT} "Write add: add(2, 3) gives 5".`;
  const others =
    chat === null
      ? `All commands: ${AGENT} --help`
      : `To talk, at a terminal: ${chat}. One answer: ${AGENT} --exec "TEXT"`;
  return usageError('No goal was given.', `${goal} ${others}`);
}

function wrongOption(message: string, words: readonly string[]): TardigradeError {
  const [sentence = '', ...suggestion] = message.replace(/^error: /, '').split('\n');
  const meant = suggestion.join(' ').replace(/[()]/g, '').trim();
  const command = words[0] ?? '';
  const elsewhere = OPTIONS_ELSEWHERE.get(/'(-[^' =]*)/.exec(sentence)?.[1] ?? '');
  if (elsewhere !== undefined) return usageError(`${sentence}.`, elsewhere);
  if (/'(?:-v|--verbose)'/.test(sentence))
    return misuse(`${sentence}.`, 'To see everything the engine does: --debug');
  const help = isCommandName(command) ? `${command} --help` : '--help';
  return usageError(
    `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`,
    `${meant === '' ? '' : `${meant} `}All options: ${AGENT} ${help}`,
  );
}
