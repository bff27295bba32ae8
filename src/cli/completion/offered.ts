/** Pure: the words of the command line that a shell can complete, from the rows of commands and options. */
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
  VERSION_FLAG,
} from '../../options/table.ts';
import { withProviders } from '../command-line/help.ts';
import { SERVERS_VERBS } from '../command-line/operands.ts';
import { BUILT_IN_NAMES } from '../templates/built-in.ts';

/** Stands for a missing command: no command has this name. */
export const NO_COMMAND = '-';

export interface OfferedCommand {
  readonly name: string;
  readonly about: string;
  readonly isShown: boolean;
  /** The words that may follow the command. */
  readonly offers: CompletedBy;
}

export interface OfferedOption {
  /** `-m`, `--model` and its other names. */
  readonly words: readonly string[];
  /** The name that is offered. */
  readonly long: string;
  /** The values it takes; `null`: none. */
  readonly offers: CompletedBy | null;
  /** The purpose of the option, by the commands that take it; `NO_COMMAND` is one of them. */
  readonly abouts: readonly { readonly about: string; readonly commands: readonly string[] }[];
}

export interface CompletionTable {
  readonly commands: readonly OfferedCommand[];
  readonly options: readonly OfferedOption[];
}

/** What may follow a command, if known. */
const BEHIND: { readonly [command: string]: CompletedBy } = {
  completion: SHELLS,
  diff: 'files',
  mcp: SERVERS_VERBS,
  setup: SETUP_PARTS,
  templates: BUILT_IN_NAMES,
  undo: 'files',
};

/** Without a command it is a run or a conversation. */
const ALONE = ['run', 'chat'];

export function completionTable(
  table: OptionTable = OPTIONS,
  commands: CommandTable = COMMANDS,
): CompletionTable {
  const names = Object.keys(commands);
  const taken = names.map((name) => {
    const all = optionsOf(name, table, commands);
    return { name, options: new Set(all.map(([called]) => called)) };
  });
  const takers = (called: string): readonly string[] =>
    taken.flatMap(({ name, options }) => (options.has(called) ? [name] : []));
  return {
    commands: Object.entries(commands).map(([name, { about, group }]) => ({
      name,
      about: oneLine(about),
      isShown: group !== 'seldom',
      offers: BEHIND[name] ?? [],
    })),
    options: [
      ...rowsIn(table).flatMap(([called, row]) => {
        if (row.flag === undefined) return [];
        const { kind, about = '' } = row;
        const aboutFor = (name: string) =>
          oneLine(commands[name]?.abouts?.[called] ?? withProviders(about));
        return {
          words: flagWords(row),
          long: longFlag(row),
          offers: kind.typed === 'nothing' ? null : (kind.offers ?? []),
          abouts: byAbout(takers(called), aboutFor),
        };
      }),
      ownOption(HELP_FLAG, 'show the help', [...names, NO_COMMAND]),
      ownOption(VERSION_FLAG, 'print the version', [NO_COMMAND]),
    ],
  };
}

function byAbout(
  takers: readonly string[],
  aboutFor: (name: string) => string,
): OfferedOption['abouts'] {
  const abouts = [...new Set(takers.map(aboutFor))];
  const named = abouts.map((about) => ({
    about,
    commands: takers.filter((name) => aboutFor(name) === about),
  }));
  const alone = named.findIndex(({ commands }) => commands.some((name) => ALONE.includes(name)));
  return named.map((one, at) =>
    at === alone ? { ...one, commands: [...one.commands, NO_COMMAND] } : one,
  );
}

const ownOption = (flag: string, about: string, commands: readonly string[]): OfferedOption => ({
  words: flagWords({ flag }),
  long: longFlag({ flag }),
  offers: null,
  abouts: [{ about, commands }],
});
