/**
 * The one table of options. The parser, the help, the schema of settings files and their reading, the options of the
 * library and the tables of the docs are generated from it. A name with a dot is a part: `deadlines.idleMs`.
 */
import { COMMANDS, type CommandTable } from './commands.ts';
import type { OptionRow } from './row.ts';
import { CONVERSATION_ROWS } from './rows/conversation.ts';
import { FLEET_ROWS } from './rows/fleet.ts';
import { MODEL_ROWS } from './rows/model.ts';
import { OUTPUT_ROWS } from './rows/output.ts';
import { SERVER_ROWS } from './rows/server.ts';
import { WORK_ROWS } from './rows/work.ts';

/** Typed by its parts, because editors show the comments of rows only then. */
export const OPTIONS: typeof MODEL_ROWS &
  typeof WORK_ROWS &
  typeof CONVERSATION_ROWS &
  typeof SERVER_ROWS &
  typeof FLEET_ROWS &
  typeof OUTPUT_ROWS = {
  ...MODEL_ROWS,
  ...WORK_ROWS,
  ...CONVERSATION_ROWS,
  ...SERVER_ROWS,
  ...FLEET_ROWS,
  ...OUTPUT_ROWS,
};

/** Options of the parser itself, which have no row. */
export const HELP_FLAG = '-h, --help';
export const VERSION_FLAG = '-V, --version';

export type OptionTable = { readonly [name: string]: OptionRow };

/** In the order of the help. */
export const rowsIn = (table: OptionTable): readonly (readonly [name: string, row: OptionRow])[] =>
  Object.entries(table);

export function optionsOf(
  command: string,
  table: OptionTable = OPTIONS,
  commands: CommandTable = COMMANDS,
): readonly (readonly [name: string, row: OptionRow])[] {
  const taker = commands[command]?.takesOptionsOf ?? command;
  return rowsIn(table).filter(
    ([, { flag, on }]) =>
      flag !== undefined && (on === 'all' || on?.some((one) => one === taker || one === command)),
  );
}

/** The options that occur in `words`: a parser declares an option more slowly than it reads one. */
export function optionsIn(words: readonly string[], table: OptionTable): OptionTable {
  const isTyped = (flag: string): boolean => {
    const start = flag.startsWith('--') ? `${flag}=` : flag;
    return words.some((word) => word === flag || word.startsWith(start));
  };
  const typed = rowsIn(table).filter(([, row]) => flagWords(row).some(isTyped));
  return Object.fromEntries(typed);
}

/** `--model` for `-m, --model <model>`. */
export const longFlag = ({ flag = '' }: Pick<OptionRow, 'flag'>): string =>
  /--[a-z-]+/.exec(flag)?.[0] ?? '';

/** `-m` and `--model`, and the flag's other names. */
export const flagWords = ({
  flag = '',
  also = [],
}: Pick<OptionRow, 'flag' | 'also'>): readonly string[] =>
  flag === '' ? [] : [...flag.replace(/ <.*/, '').split(', '), ...also];

/** Whether the option takes the next word, so that a value is never mistaken for a goal. */
export const takesValue = (word: string, table: OptionTable = OPTIONS): boolean =>
  word.startsWith('-') &&
  rowsIn(table).some(([, row]) => row.kind.typed !== 'nothing' && flagWords(row).includes(word));

/** The parts between the dots. */
export const pathOf = (name: string): readonly string[] => name.split('.');
