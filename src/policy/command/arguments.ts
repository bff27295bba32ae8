/** Reads the arguments of a program by the table of its options: what a table does not name is not understood. Pure. */

/** What a value is. A number must look like one. */
type Role = 'text' | 'number' | 'file' | 'range' | 'fields';

interface Option {
  /** `joined` and `maybe` never take the next word, `next` always, `last` where there is one. */
  readonly value: 'none' | 'any' | 'joined' | 'maybe' | 'last' | 'next';
  readonly role: Role;
}

export type Table = ReadonlyMap<string, Option>;

const VALUES = { '=': 'any', ':': 'joined', '?': 'maybe', '~': 'last', '+': 'next' } as const;
const ENTRY = /^(--?[^=:?~+]+)(?:([=:?~+])(text|number|file|range|fields))?$/;

/**
 * A table from texts such as `-i --color?text -e=text`. After an option: `=` a value, joined or the next
 * word; `:` a joined value; `?` a joined value or none; `~` a joined value, the next word, or none at the
 * end; `+` the next word. `-#` is every digit.
 */
export const tableOf = (...texts: readonly string[]): Table =>
  new Map(
    texts
      .flatMap((text) => text.split(' '))
      .flatMap((entry) =>
        entry === '-#' ? Array.from('0123456789', (digit) => `-${digit}`) : entry,
      )
      .map((entry) => {
        const [, name, sign, role] = ENTRY.exec(entry) ?? [];
        if (name === undefined) throw new Error(`No entry of a table: ${entry}`);
        const value = sign === undefined ? 'none' : VALUES[sign as keyof typeof VALUES];
        return [name, { value, role: (role ?? 'text') as Role }] as const;
      }),
  );

const FITS: { readonly [role in Role]?: RegExp } = {
  number: /^[-+]?\d+(?:\.\d+)?[A-Za-z]{0,2}$/,
  // A format with a `raw` field can print the whole content of an object.
  fields: /^(?!.*raw)/s,
};

interface ReadOption {
  readonly name: string;
  readonly role: Role;
  readonly value: string | undefined;
}

export interface Arguments {
  readonly options: readonly ReadOption[];
  readonly operands: readonly { readonly word: string; readonly isBehindEnd: boolean }[];
  /** The first word that is not understood; `null`: all are. */
  readonly unknown: string | null;
  /** How many words reach to the end of the last option. */
  readonly optionsEnd: number;
  /** The index of the word that ends the options; without one, the number of words. */
  readonly end: number;
}

/**
 * @param isWhole true if options are whole words even with one dash, as in `find`
 * @param stopsAtOperand true if an option after the first operand may be an operand, as in many BSD programs
 */
export function readArguments(
  args: readonly string[],
  table: Table,
  { isWhole = false, stopsAtOperand = false } = {},
): Arguments {
  const options: ReadOption[] = [];
  const operands: { word: string; isBehindEnd: boolean }[] = [];
  let [unknown, end, optionsEnd]: [string | null, number, number] = [null, args.length, 0];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (at > end || !/^-./s.test(arg)) {
      operands.push({ word: arg, isBehindEnd: at > end });
      continue;
    }
    if (arg === '--') {
      end = at;
      continue;
    }
    const found = isWhole ? [[arg, undefined] as const] : namesIn(arg, table);
    for (const [name, joined] of found) {
      const option = table.get(name);
      const isNext = joined === undefined && TAKES_NEXT.has(option?.value);
      const value = isNext ? args[at + 1] : joined;
      if (isNext && value !== undefined) at += 1;
      options.push({ name, role: option?.role ?? 'text', value });
      const isUnsure = stopsAtOperand && operands.length > 0 && isNext && option?.role !== 'number';
      const isApart = isNext || option?.value !== 'next';
      if (option === undefined || isUnsure || !isApart || !isComplete(option, value))
        unknown ??= arg;
    }
    optionsEnd = at + 1;
  }
  return { options, operands, unknown, optionsEnd, end };
}

const TAKES_NEXT: ReadonlySet<string | undefined> = new Set(['any', 'last', 'next']);

const isComplete = ({ value, role }: Option, given: string | undefined): boolean =>
  given === undefined
    ? value !== 'any' && value !== 'joined' && value !== 'next'
    : value !== 'none' && (FITS[role]?.test(given) ?? true);

/** The options in one word, the last of them maybe with a value. */
function namesIn(arg: string, table: Table): readonly (readonly [string, string | undefined])[] {
  const at = arg.indexOf('=');
  if (arg.startsWith('--'))
    return [at === -1 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)]];
  const names: [string, string | undefined][] = [];
  const letters = [...arg].slice(1);
  for (const [place, letter] of letters.entries()) {
    const rest = letters.slice(place + 1).join('');
    const takes = (table.get(`-${letter}`)?.value ?? 'none') !== 'none';
    names.push([`-${letter}`, takes && rest !== '' ? rest : undefined]);
    if (takes) break;
  }
  return names;
}

/** True if one of these options was given. */
export const hasOption = ({ options }: Arguments, names: Table | readonly string[]): boolean =>
  options.some(({ name }) =>
    Array.isArray(names) ? names.includes(name) : (names as Table).has(name),
  );

/** The files in values. Some programs drop a `=` before a value. */
export const filesInOptions = ({ options }: Arguments): readonly string[] =>
  options.flatMap(({ role, value }) => {
    if (value === undefined || (role !== 'file' && role !== 'range')) return [];
    const path = role === 'range' ? value.slice(value.lastIndexOf(':') + 1) : value;
    return path.startsWith('=') ? [path, path.slice(1)] : [path];
  });

/** Every part of the arguments that could be a file, for arguments that are not understood. */
export const anyFiles = (args: readonly string[]): readonly string[] =>
  args.flatMap((arg) => {
    if (!/^-./s.test(arg)) return [arg];
    const value = arg.includes('=') ? [arg.slice(arg.indexOf('=') + 1)] : [];
    return arg.startsWith('--')
      ? value
      : [...value, ...[2, 3, 4].flatMap((from) => arg.slice(from) || [])];
  });
