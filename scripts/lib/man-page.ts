/** Pure: the manual page, from the rows of commands and of options. */

import { helpAfter } from '../../src/cli/command-line/help.ts';
import { type Offered, offeredBy } from '../../src/cli/completion/offered.ts';
import { USUAL_NAME } from '../../src/cli/process/program-name.ts';
import { COMMANDS, type CommandTable } from '../../src/options/commands.ts';
import { OPTIONS, type OptionTable, rowsOf } from '../../src/options/table.ts';

export function manPage(
  version: string,
  table: OptionTable = OPTIONS,
  commands: CommandTable = COMMANDS,
): string {
  const offered = offeredBy(table, commands);
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
    ...offered.commands.flatMap(({ name, about }) =>
      entry([name, commands[name]?.operands ?? ''].join(' ').trim(), about),
    ),
    '.SH OPTIONS',
    ...optionLines(offered, table),
    '.SH EXAMPLES AND EXIT CODES',
    '.nf',
    ...helpAfter(USUAL_NAME).trim().split('\n').map(roff),
    '.fi',
  ];
  return `${lines.join('\n')}\n`;
}

function optionLines({ options }: Offered, table: OptionTable): readonly string[] {
  const written = new Map(rowsOf(table).map(([, { flag = '' }]) => [flag.split(' <')[0], flag]));
  return options.flatMap(({ words, abouts, long }) => {
    const flag = [...written].find(([typed = '']) => typed.split(', ').includes(long))?.[1];
    return abouts.flatMap(({ about }) => entry(flag ?? words.join(', '), about));
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
