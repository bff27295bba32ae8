/**
 * Pure: completes the last word of a command line, for the scripts of shells, from the rows of commands and options.
 */
import { SETUP_PARTS } from '../../host/providers/providers.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { COMMANDS, type CommandTable, SHELLS } from '../../options/commands.ts';
import type { CompletedBy } from '../../options/kinds.ts';
import {
  flagWords,
  HELP_FLAG,
  longFlag,
  OPTIONS,
  type OptionTable,
  optionsOf,
  rowsIn,
  takesValue,
  VERSION_FLAG,
} from '../../options/table.ts';
import { withProviders } from '../command-line/help.ts';
import { SERVERS_VERBS } from '../command-line/operands.ts';
import { BUILT_IN_NAMES } from '../templates/built-in.ts';

type Choice = readonly [word: string, about: string];

interface Tables {
  readonly options: OptionTable;
  readonly commands: CommandTable;
}

/** What may follow a command, if known. */
const BEHIND: ReadonlyMap<string, CompletedBy> = new Map<string, CompletedBy>([
  ['completion', SHELLS],
  ['diff', 'files'],
  ['mcp', SERVERS_VERBS],
  ['setup', SETUP_PARTS],
  ['templates', BUILT_IN_NAMES],
  ['undo', 'files'],
]);

/** @param typed the words after the program's name, each with a dot before it; the last one is completed */
export function completionAnswer(
  typed: readonly string[],
  tables: Tables = { options: OPTIONS, commands: COMMANDS },
): string {
  const { prefix, choices } = completed(
    typed.map((word) => word.slice(1)),
    tables,
  );
  if (typeof choices === 'string') return `:${choices}\n`;
  return choices.map(([word, about]) => `${prefix}${word}\t${about}\n`).join('');
}

function completed(
  words: readonly string[],
  tables: Tables,
): { readonly prefix: string; readonly choices: readonly Choice[] | 'files' | 'folders' } {
  const last = words.at(-1) ?? '';
  const { pending, verb, first, operands, isOver } = readBefore(words.slice(0, -1), tables);
  // Some shells do not split `--flag=value`.
  const [joined = '', flag = ''] = pending === '' ? (/^(--[^=]+)=/.exec(last) ?? []) : [];
  const wanted = pending !== '' && last === '=' ? '' : last.slice(joined.length);
  const fitting = (choices: readonly Choice[]) => ({
    prefix: joined,
    choices: choices.filter(([word]) => word.startsWith(wanted)),
  });
  const known = (offers: CompletedBy = []) =>
    typeof offers === 'string'
      ? { prefix: joined, choices: offers }
      : fitting(offers.map((word) => [word, '']));
  if (isOver) return fitting([]);
  const option = pending || flag;
  if (option !== '') {
    const row = Object.values(tables.options).find((one) => flagWords(one).includes(option));
    return known(row?.kind.offers);
  }
  if (last.startsWith('-')) return fitting(optionChoices(verb, tables));
  if (first === '') return fitting(commandChoices(tables));
  return known(operands === 0 ? BEHIND.get(verb) : []);
}

/** @returns `verb` is '' if there is no command */
function readBefore(words: readonly string[], { options, commands }: Tables) {
  let [pending, verb, first] = ['', '', ''];
  let [operands, isOver] = [0, false];
  for (const word of words) {
    if (pending !== '') pending = word === '=' ? pending : '';
    else if (takesValue(word, options)) pending = word;
    else if (word === '--') isOver = true;
    else if (word.startsWith('-') && word.length > 1) continue;
    else if (first !== '') operands += 1;
    else {
      first = word;
      if (Object.hasOwn(commands, word)) verb = word;
      else operands = 1;
    }
  }
  return { pending, verb, first, operands, isOver };
}

const commandChoices = ({ commands }: Tables): readonly Choice[] =>
  Object.entries(commands).flatMap(([name, { about, group }]): Choice[] =>
    group === 'seldom' ? [] : [[name, oneLine(about)]],
  );

function optionChoices(verb: string, { options, commands }: Tables): readonly Choice[] {
  // Without a command it is a run or a conversation.
  const takers = (verb === '' ? ['run', 'chat'] : [verb]).map((name) => ({
    abouts: commands[name]?.abouts,
    taken: new Set(optionsOf(name, options, commands).map(([called]) => called)),
  }));
  const choices = rowsIn(options).flatMap(([called, row]): Choice[] => {
    const taker = takers.find(({ taken }) => taken.has(called));
    const about = taker?.abouts?.[called] ?? withProviders(row.about ?? '');
    return taker === undefined ? [] : [[longFlag(row), oneLine(about)]];
  });
  const help: Choice = [longFlag({ flag: HELP_FLAG }), 'show the help'];
  const version: Choice = [longFlag({ flag: VERSION_FLAG }), 'print the version'];
  return [...choices, help, ...(verb === '' ? [version] : [])];
}
