/** The tables of the docs that are made from the table of options. */
import { PROVIDER_NAMES, rowOf } from '../../src/host/providers/providers.ts';
import { COMMAND_NAMES, commandRow } from '../../src/options/commands.ts';
import type { OptionRow } from '../../src/options/row.ts';
import { longFlag, type OptionTable, optionsOf, rowsIn } from '../../src/options/table.ts';

const code = (text: string): string => (text === '' ? '' : `\`${text}\``);
const line = (cells: readonly string[]): string =>
  `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`;

/** Beyond so many commands nobody reads their names. */
const MAX_NAMED = 12;

const PROJECT = {
  suggest: '; a project may suggest it',
  reached: '; a project may suggest what you reach',
  narrow: '; a project may narrow it',
};

const CALLS = {
  run: 'run',
  chat: 'conversation',
  both: 'both',
  apart: 'see [library](library.md)',
};

/** Rows in Markdown. @param meanings what the page says of a flag, where that is more than the help does */
export function tables(
  table: OptionTable,
  meanings: ReadonlyMap<string, string>,
): { readonly typed: readonly string[]; readonly options: readonly string[] } {
  const rows = rowsIn(table);
  return {
    typed: rows.flatMap(([, { flag, on, about = '' }]) => {
      if (flag === undefined) return [];
      const commands = on === 'all' ? 'all' : takersOf(flag, table);
      return line([code(flag), commands, meanings.get(flag) ?? about.replaceAll('|', '\\|')]);
    }),
    options: rows.flatMap(([name, row]) =>
      row.setting === undefined && row.variable === undefined && row.library === undefined
        ? []
        : line([
            code(name),
            code(longFlag(row)),
            row.setting === undefined
              ? ''
              : code(row.setting) + (row.project === undefined ? '' : PROJECT[row.project]),
            variablesOf(row).map(code).join(', '),
            row.library === undefined ? '' : CALLS[row.library],
            usualOf(row),
            row.kind.takes.replaceAll('|', '\\|'),
            row.isKept ? 'kept' : row.isRepeated ? 'in the printed command' : '',
          ]),
    ),
  };
}

function takersOf(flag: string, table: OptionTable): string {
  const names = COMMAND_NAMES.filter(
    (name) =>
      commandRow(name).takesOptionsOf === undefined &&
      optionsOf(name, table).some(([, row]) => row.flag === flag),
  );
  return names.length > MAX_NAMED ? 'most' : names.join(', ');
}

function variablesOf({ variable }: OptionRow): readonly string[] {
  if (typeof variable === 'string') return [variable];
  if (variable === undefined) return [];
  const { ofProvider } = variable;
  return PROVIDER_NAMES.flatMap((name) => {
    const row: { readonly [field: string]: unknown } = { ...rowOf(name) };
    const named = row[ofProvider];
    return typeof named === 'string' ? [named] : [];
  });
}

function usualOf({ usual, usually, kind }: OptionRow): string {
  if (usual === undefined || usually !== undefined) return usually ?? '';
  const [word] = kind.words(usual);
  return word ?? String(usual);
}

const TYPED = ['option', 'for', 'meaning'];
const OPTIONS_HEAD = [
  ...['option', 'typed', 'setting', 'variable', 'library', 'default', 'takes', 'over a resume'],
];

/** The page with the tables that it has of these made anew; what it says of a flag stays. */
export function withTables(page: string, table: OptionTable): string {
  const meanings = new Map(
    rowsBelow(page, TYPED).flatMap((row) => {
      const [flag = '', , meaning = ''] = row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim());
      return flag === '' ? [] : [[flag.slice(1, -1), meaning] as const];
    }),
  );
  const made = tables(table, meanings);
  return replaced(replaced(page, TYPED, made.typed), OPTIONS_HEAD, made.options);
}

const headOf = (titles: readonly string[]): string =>
  `${line(titles)}\n|${'---|'.repeat(titles.length)}\n`;

function rowsBelow(page: string, titles: readonly string[]): readonly string[] {
  const start = page.indexOf(headOf(titles));
  if (start < 0) return [];
  const rows = page.slice(start + headOf(titles).length).split('\n');
  return rows.slice(
    0,
    rows.findIndex((row) => !row.startsWith('|')),
  );
}

function replaced(page: string, titles: readonly string[], rows: readonly string[]): string {
  const start = page.indexOf(headOf(titles));
  if (start < 0) return page;
  const from = start + headOf(titles).length;
  const before = rowsBelow(page, titles).join('\n');
  return page.slice(0, from) + rows.join('\n') + page.slice(from + before.length);
}
