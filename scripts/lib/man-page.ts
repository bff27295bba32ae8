/** Pure: the manual page, from the rows of commands and of options. */

import { helpAfter } from '../../src/cli/command-line/help.ts';
import { type CompletionTable, completionTable } from '../../src/cli/completion/offered.ts';
import { USUAL_NAME } from '../../src/cli/process/program-name.ts';
import { COMMAND_GROUPS, COMMANDS, type CommandTable } from '../../src/options/commands.ts';
import { longFlag, OPTIONS, type OptionTable, rowsIn } from '../../src/options/table.ts';

export function manPage(
  version: string,
  table: OptionTable = OPTIONS,
  commands: CommandTable = COMMANDS,
): string {
  const offered = completionTable(table, commands);
  const lines = [
    `.TH AGENT 1 "" "${roff(version)}"`,
    '.SH NAME',
    String.raw`agent \- work on a goal with a language model, and survive being killed at any moment`,
    '.SH SYNOPSIS',
    '.B agent',
    roff('[options] "goal"'),
    '.br',
    '.B agent',
    roff('<command> [options]'),
    '.SH COMMANDS',
    ...commandLines(offered, commands),
    '.SH OPTIONS',
    ...optionLines(offered, table, true),
    '.SS More options',
    ...optionLines(offered, table, false),
    '.SH EXAMPLES AND EXIT CODES',
    '.nf',
    ...helpAfter(USUAL_NAME).trim().split('\n').map(roff),
    '.fi',
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines({ commands }: CompletionTable, table: CommandTable): readonly string[] {
  const groups = Object.entries(COMMAND_GROUPS);
  return groups.flatMap(([group, heading], at) => {
    const entries = commands
      .filter(({ name }) => table[name]?.group === group)
      .flatMap(({ name, about }) =>
        entry([name, table[name]?.operands ?? ''].join(' ').trim(), about),
      );
    return at === 0 ? entries : [`.SS ${roff(heading.replace(':', ''))}`, ...entries];
  });
}

/** @param areFirst those that the help of a run shows first, and the parser's own; else the rest */
function optionLines(
  { options }: CompletionTable,
  table: OptionTable,
  areFirst: boolean,
): readonly string[] {
  const rows = new Map(rowsIn(table).map(([, row]) => [longFlag(row), row]));
  return options.flatMap(({ words, abouts, long }) => {
    const row = rows.get(long);
    if ((row === undefined || row.isFirst === true) !== areFirst) return [];
    return abouts.flatMap(({ about }) => entry(row?.flag ?? words.join(', '), about));
  });
}

const entry = (title: string, about: string): readonly string[] => [
  '.TP',
  String.raw`\fB${roff(title)}\fR`,
  roff(about),
];

/** Text that is nothing but text: no request, no escape, and hyphens that can be copied. */
export function roff(text: string): string {
  const plain = text
    .replaceAll('\\', '\\(rs')
    .replaceAll('-', '\\-')
    .replace(/[^\0-\x7f]/gu, (character) => {
      const number = character.codePointAt(0) ?? 0;
      return `\\[u${number.toString(16).toUpperCase().padStart(4, '0')}]`;
    });
  return /^[.'"]/.test(plain) ? `\\&${plain}` : plain;
}
