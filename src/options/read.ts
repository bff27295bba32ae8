/** Reads option values from flags, from the environment and from a program, and turns them back into words. */

import { misuse } from '../lib/errors.ts';
import { addressWithoutCredentials } from '../lib/text/addresses.ts';
import { type OptionValues, optionValue, withOptionValue } from './option-values.ts';
import type { OptionRow } from './row.ts';
import { longFlag, OPTIONS, type OptionTable, rowsIn } from './table.ts';

/** The words after each typed flag, by the names of the options. */
export type TypedFlags = { readonly [name: string]: readonly string[] };

/** Throws E_USAGE for an invalid value. */
export function optionsFromFlags(typed: TypedFlags, table: OptionTable = OPTIONS): OptionValues {
  let options: OptionValues = {};
  for (const [name, row] of rowsIn(table)) {
    const words = typed[name];
    if (words !== undefined)
      options = withOptionValue(options, name, row.kind.read(words, longFlag(row)));
  }
  return options;
}

/** The values of variables that the table names; the code that opens a provider reads the provider's own variables. */
export function optionsFromVariables(
  env: { readonly [name: string]: string | undefined },
  table: OptionTable = OPTIONS,
): OptionValues {
  let options: OptionValues = {};
  for (const [name, { kind, variable }] of rowsIn(table)) {
    const value = typeof variable === 'string' ? (env[variable] ?? '') : '';
    if (value !== '')
      options = withOptionValue(options, name, kind.read([value], String(variable)));
  }
  return options;
}

/** The options in typed form; default values are left out. */
export const wordsFor = (
  options: object,
  takes: (row: OptionRow) => boolean,
  table: OptionTable = OPTIONS,
): readonly string[] =>
  rowsIn(table).flatMap(([name, row]) => {
    const value = optionValue(options, name);
    if (value === undefined || value === row.usual || !takes(row)) return [];
    const flag = longFlag(row);
    if (row.kind.typed === 'nothing') return value === row.kind.read([], flag) ? [flag] : [];
    const shown = (word: string): string =>
      row.isAddress ? addressWithoutCredentials(word) : word;
    return row.kind.words(value).flatMap((word) => [flag, shown(word)]);
  });

const LONGEST_SHOWN = 60;

/** Throws E_USAGE for a value that the library does not accept. */
export function checkOptions(options: object, table: OptionTable = OPTIONS): void {
  for (const [name, { kind, library }] of rowsIn(table)) {
    const value =
      library === undefined || library === 'apart' ? undefined : optionValue(options, name);
    const fault = value === undefined ? '' : kind.fault(value);
    if (fault === '') continue;
    throw misuse(
      `${name} is ${shownValue(value).slice(0, LONGEST_SHOWN)}, and it must be ${fault}.`,
      'Leave it out, or give another one. See docs/library.md for each option.',
    );
  }
}

function shownValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'an object that cannot be shown';
  }
}
