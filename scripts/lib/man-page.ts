/** Pure: the manual page, from the rows of commands and of options. */

import { helpAfter, withProviders } from '../../src/cli/command-line/help.ts';
import { USUAL_NAME } from '../../src/cli/process/program-name.ts';
import { oneLine } from '../../src/lib/text/plain-text.ts';
import { COMMAND_GROUPS, COMMANDS, type CommandTable } from '../../src/options/commands.ts';
import {
  HELP_FLAG,
  OPTIONS,
  type OptionTable,
  optionsOf,
  rowsIn,
  VERSION_FLAG,
} from '../../src/options/table.ts';

export function manPage(
  version: string,
  table: OptionTable = OPTIONS,
  commands: CommandTable = COMMANDS,
): string {
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
    ...commandLines(commands),
    '.SH OPTIONS',
    ...optionLines(table, commands, true),
    ...entry(HELP_FLAG, 'show the help'),
    ...entry(VERSION_FLAG, 'print the version'),
    '.SS More options',
    ...optionLines(table, commands, false),
    '.SH EXAMPLES AND EXIT CODES',
    '.nf',
    ...helpAfter(USUAL_NAME).trim().split('\n').map(roff),
    '.fi',
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines(commands: CommandTable): readonly string[] {
  const groups = Object.entries(COMMAND_GROUPS);
  return groups.flatMap(([group, heading], at) => {
    const entries = Object.entries(commands)
      .filter(([, row]) => row.group === group)
      .flatMap(([name, { operands = '', about }]) =>
        entry(`${name} ${operands}`.trim(), oneLine(about)),
      );
    return at === 0 ? entries : [`.SS ${roff(heading.replace(':', ''))}`, ...entries];
  });
}

/** @param areFirst those that the help of a run shows first; else the rest */
function optionLines(
  table: OptionTable,
  commands: CommandTable,
  areFirst: boolean,
): readonly string[] {
  return rowsIn(table).flatMap(([called, { flag = '', about = '', isFirst = false }]) => {
    const abouts = Object.entries(commands).flatMap(([name, row]) =>
      isFirst === areFirst && optionsOf(name, table, commands).some(([one]) => one === called)
        ? [oneLine(row.abouts?.[called] ?? withProviders(about))]
        : [],
    );
    return [...new Set(abouts)].flatMap((one) => entry(flag, one));
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
