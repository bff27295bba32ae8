import { Command, CommanderError, Option } from 'commander';
import { PROVIDERS } from '../host/providers.ts';
import { TardigradeError } from '../lib/errors.ts';
import { SHORT_NAMES } from '../llm/embedded/hub-file.ts';
import { OPTIONS_ELSEWHERE, refuseNoGoal } from './bare-words.ts';
import {
  ALIASES,
  COMMAND_NAMES,
  COMMANDS,
  type CommandName,
  isCommandName,
  type OptionSpec,
  optionsOf,
  takesValue,
} from './command-line.ts';
import { fold } from './render/fold.ts';

/** What a command line says, before its values are checked. */
export type Parsed =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }
  /** No goal and no command: at most options of a conversation. */
  | {
      readonly kind: 'alone';
      readonly options: { readonly [name: string]: unknown };
      /** What the person typed. */
      readonly argv: readonly string[];
    }
  | {
      readonly kind: 'command';
      readonly command: CommandName;
      readonly operands: readonly string[];
      readonly options: { readonly [name: string]: unknown };
    };

const HELP_AFTER = `
Examples:
  agent "Write a hello world script"    work on a goal; typed again, it resumes
  agent resume                          continue where the last run stopped
  agent doctor                          check what is needed
  agent -- status                       a goal that is the name of a command
  echo "Explain this folder" | agent -  the goal comes from stdin
  agent --exec "What is in README.md?"  one answer, without a conversation

Options of a run: agent run --help
Exit codes: 0 achieved, 1 internal error, 2 usage, 3 failed, 4 limit, 5 stalled, 6 waiting for you, 7 no model, 8 state locked or damaged, 9 not verified, 10 answered without a change, 130 interrupted
`;

const SETUP_HELP = `
agent setup ollama --model ${PROVIDERS.ollama.example}  lets Ollama download any of its models
agent setup embedded --model NAME             needs no Ollama; NAME is one of
${Object.entries(SHORT_NAMES)
  .map(([name, { megabytes }]) => `  ${name.padEnd(22)} ${(megabytes / 1000).toFixed(1)} GB`)
  .join('\n')}
  or hf:OWNER/REPO/FILE.gguf, a file on Hugging Face
`;

const MCP_HELP = `
agent mcp approve NAME  agree to a server of the project's .mcp.json; shows it, and asks
agent mcp reset [NAME]  forget what you said of it, or of all
`;

const ASK_HELP = `
The answer goes to stdout, where its figures stand to stderr. Exit code 0 for an answer.
All options of a run work here, too: agent run --help
`;

const HELP_OF: { readonly [Name in CommandName]?: string } = {
  setup: SETUP_HELP,
  mcp: MCP_HELP,
  ask: ASK_HELP,
};

const USUAL_COLUMNS = 80;
const UNFOLDED = Number.POSITIVE_INFINITY;

/**
 * Throws E_USAGE with a hint for everything that is not a valid command line.
 * @param columns of a line of help
 */
export async function parseArguments(
  argv: readonly string[],
  columns = USUAL_COLUMNS,
): Promise<Parsed> {
  if (argv.length === 0) return { kind: 'alone', options: {}, argv };
  const words = withCommandFirst(withoutAliases(argv));
  if (words === 'version') return { kind: 'version' };
  if (words !== 'alone') return await parsedFrom(words, columns);
  try {
    const chat = await parsedFrom(['chat', ...withoutAliases(argv)], columns);
    if (chat.kind === 'command') return { kind: 'alone', options: chat.options, argv };
  } catch {
    // Options of a run: what is missing is its goal.
  }
  return await parsedFrom(['run', ...withoutAliases(argv)], columns);
}

async function parsedFrom(words: readonly string[], columns: number): Promise<Parsed> {
  let parsed: Parsed | null = null;
  let written = '';
  const program = new Command('agent');
  const keep = (invocation: Parsed): void => {
    parsed = invocation;
  };
  const write = (text: string): void => {
    written += text;
  };
  const [first = ''] = words;
  const names = isCommandName(first) ? [first] : COMMAND_NAMES;
  declare(program, names, { keep, write });
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'help', text: fold(written, columns) };
    throw usageError(error.message, words);
  }
  return parsed ?? { kind: 'help', text: fold(program.helpInformation(), columns) };
}

/** @param names of the commands that are told of: to declare all of them takes longer than to load most files */
function declare(
  program: Command,
  names: readonly CommandName[],
  { keep, write }: { keep(parsed: Parsed): void; write(text: string): void },
): void {
  program
    .usage('[options] "goal" | agent <command>')
    .description('Works on a goal with a language model, and survives being killed at any moment.')
    .option('-V, --version', 'print the version')
    .enablePositionalOptions()
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({ writeOut: write, writeErr: () => {}, getOutHelpWidth: () => UNFOLDED })
    .addHelpText('after', HELP_AFTER);
  for (const name of names) {
    const command = program.command(name).description(COMMANDS[name]);
    const operand = OPERANDS[name];
    for (const one of operand?.match(OPERAND) ?? []) command.argument(one);
    const more = HELP_OF[name];
    if (more !== undefined) command.addHelpText('after', more);
    // Too many are refused with better words than the parser's.
    command.allowExcessArguments(true);
    for (const option of optionsOf(name === 'ask' ? 'run' : name))
      command.addOption(optionFor(name, option));
    command.action(() => keep(asTyped(name, command)));
  }
}

function optionFor(name: CommandName, { flags, about, isRepeatable }: OptionSpec): Option {
  const isOfSetup = name === 'setup' && flags.includes('--model');
  const option = new Option(flags, isOfSetup ? 'the model to get; see below' : about);
  if (isRepeatable) option.argParser(collect);
  return option.hideHelp(name === 'ask' && !SHOWN_OF_ASK.test(flags));
}

const SHOWN_OF_ASK = /--(?:workspace|model|json|quiet)\b/;

/** `agent ask` is a run that wants an answer. */
const asTyped = (name: CommandName, command: Command): Parsed => ({
  kind: 'command',
  command: name === 'ask' ? 'run' : name,
  operands: command.args,
  options: { ...typedOf(command), ...(name === 'ask' ? { wantsAnswer: true } : {}) },
});

/** An option that says no is true by itself: only what was typed counts. */
const typedOf = (command: Command): { readonly [name: string]: unknown } =>
  Object.fromEntries(
    Object.entries(command.opts()).filter(
      ([name]) => command.getOptionValueSource(name) !== 'default',
    ),
  );

const OPERANDS: { readonly [Name in CommandName]?: string } = {
  run: '[goal]',
  ask: '[question]',
  setup: '[part]',
  resume: '[run]',
  status: '[run]',
  plan: '[run]',
  history: '[run]',
  show: '[record]',
  diff: '[file or run]',
  undo: '[file or run]',
  approve: '[id]',
  deny: '[id]',
  export: '[session]',
  mcp: '[what] [server]',
};

/** One of them: `[file or run]`. */
const OPERAND = /\[[^\]]*\]/g;

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** Each option in its own word; what is a value, or stands behind `--`, is what it is. */
function withoutAliases(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return argv.map((word, at) => {
    if ((end >= 0 && at > end) || takesValue(argv[at - 1] ?? '')) return word;
    const [, flag = '', value = ''] = /^(--[a-z-]+)(=.*)?$/s.exec(word) ?? [];
    const meant = Object.hasOwn(ALIASES, flag) ? ALIASES[flag] : undefined;
    return meant === undefined ? word : meant + value;
  });
}

/**
 * Puts the command word in front, `run` where there is none: everything after `--` is a goal,
 * and the options may stand before or after the word. `alone`: there are only options.
 */
function withCommandFirst(argv: readonly string[]): readonly string[] | 'version' | 'alone' {
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    const rest = [...argv.slice(0, index), ...argv.slice(index + 1)];
    if (word === '--') return ['run', ...argv];
    if (word === '-V' || word === '--version') return 'version';
    if (word === '--exec' || word.startsWith('--exec='))
      return ['chat', ...withoutWord(argv, 'chat')];
    // The parser refuses it, and the refusal says what it is here.
    if (OPTIONS_ELSEWHERE.has(word)) return ['run', ...argv];
    if (takesValue(word)) index += 1;
    else if (word === '-' || !word.startsWith('-')) {
      if (isCommandName(word)) return [word, ...rest];
      if (word === 'version' && rest.every(isHelp)) return 'version';
      if (word === 'help') return rest.length > 0 ? [...rest, '--help'] : ['--help'];
      if (word !== '-' && !argv.includes('--')) refuseNoGoal(word, operandsIn(rest));
      return ['run', ...argv];
    }
  }
  return argv.some(isHelp) ? ['--help'] : 'alone';
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h';

/** Without the first of it that is no value of an option. */
function withoutWord(argv: readonly string[], word: string): readonly string[] {
  const at = argv.findIndex((one, index) => one === word && !takesValue(argv[index - 1] ?? ''));
  return at < 0 ? argv : [...argv.slice(0, at), ...argv.slice(at + 1)];
}

/** What is neither an option nor the value of one. */
const operandsIn = (words: readonly string[]): readonly string[] =>
  words.filter((word, at) => !word.startsWith('-') && !takesValue(words[at - 1] ?? ''));

/** @param chat the command that begins a conversation instead, where the options fit one */
export const noGoal = (chat: string | null = null): TardigradeError =>
  new TardigradeError(
    'E_USAGE',
    'No goal was given.',
    chat === null
      ? 'Say what should be done: agent "Write a hello world script". All commands: agent --help'
      : `Say what should be done: agent "Write a hello world script". To talk, at a terminal: ${chat}. One answer: agent --exec "TEXT"`,
  );

function usageError(message: string, words: readonly string[]): TardigradeError {
  const [sentence = '', ...suggestion] = message.replace(/^error: /, '').split('\n');
  const meant = suggestion.join(' ').replace(/[()]/g, '').trim();
  const command = words[0] ?? '';
  const elsewhere = OPTIONS_ELSEWHERE.get(/'(-[^' =]*)/.exec(sentence)?.[1] ?? '');
  if (elsewhere !== undefined) return new TardigradeError('E_USAGE', `${sentence}.`, elsewhere);
  if (/'(?:-v|--verbose)'/.test(sentence))
    return new TardigradeError(
      'E_USAGE',
      `${sentence}.`,
      'To see all that the engine does: --debug',
    );
  const help = isCommandName(command) ? `agent ${command} --help` : 'agent --help';
  const hint = `${meant === '' ? '' : `${meant} `}All options: ${help}`;
  return new TardigradeError(
    'E_USAGE',
    `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`,
    hint,
  );
}
