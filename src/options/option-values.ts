/** The values of options by their names, whatever their source, in one form from the command line to the engine. */
import type { SandboxMode } from '../schema/config.ts';
import type { Kind } from './kinds.ts';
import type { OptionRow } from './row.ts';
import { OPTIONS, type OptionTable, pathOf, rowsIn } from './table.ts';

type Table = typeof OPTIONS;

type ValueOf<Row> = Row extends { readonly kind: Kind<infer Value> } ? Value : never;

/** Names with a dot are parts of an object. */
type Whole<Name> = Name extends `${string}.${string}` ? never : Name;
type Group<Name> = Name extends `${infer First}.${string}` ? First : never;
type Part<Name, First extends string> = Name extends `${First}.${infer Rest}` ? Rest : never;

type ValuesOf<Rows> = {
  readonly [Name in keyof Rows as Whole<Name>]?: ValueOf<Rows[Name]>;
} & {
  readonly [First in Group<keyof Rows>]?: {
    readonly [Name in keyof Rows as Part<Name, First>]?: ValueOf<Rows[Name]>;
  };
};

type Taking<Call extends string> = {
  [Name in keyof Table as Table[Name] extends { readonly library: Call }
    ? Name
    : never]: Table[Name];
};

type Usual = {
  [Name in keyof Table as Table[Name] extends { readonly usual: unknown }
    ? Name
    : never]: Table[Name];
};

type Flat<Type> = { [Key in keyof Type]: Type[Key] };

export type OptionValues = Flat<ValuesOf<Table>>;
/** The options of a run, as the library takes them. */
export type RunOptionValues = Flat<ValuesOf<Taking<'run' | 'both'>>>;
/** The same with the defaults filled in. */
export type ResolvedRunOptions = Omit<RunOptionValues, keyof UsualOfRuns> & UsualOfRuns;
export type ChatOptionValues = Flat<ValuesOf<Taking<'chat' | 'both'>>>;
export type CommonOptionValues = Flat<ValuesOf<Taking<'both'>>>;

type UsualOfRuns = {
  readonly [Name in keyof RunOptionValues & Whole<keyof Usual>]-?: NonNullable<
    RunOptionValues[Name]
  >;
} & {
  readonly [First in keyof RunOptionValues & Group<keyof Usual>]-?: Required<
    NonNullable<RunOptionValues[First]>
  >;
};

/** How commands are confined: as typed, else as the settings say. */
export const sandboxMode = ({
  sandbox,
  sandboxAtLeast = 'off',
}: {
  readonly sandbox?: SandboxMode | undefined;
  readonly sandboxAtLeast?: SandboxMode | undefined;
}): SandboxMode => sandbox ?? sandboxAtLeast;

type Values = { readonly [name: string]: unknown };

/** The value of an option; `undefined` if it was not given. */
export function optionValue(options: object, name: string): unknown {
  let value: unknown = options;
  for (const step of pathOf(name)) value = (value as Values | undefined)?.[step];
  return value;
}

/** The same values with one more. */
export function withOptionValue<Into extends object>(
  options: Into,
  name: string,
  value: unknown,
): Into {
  const [first = '', ...rest] = pathOf(name);
  const part = (options as Values)[first] as object | undefined;
  const inner = rest.length === 0 ? value : withOptionValue(part ?? {}, rest.join('.'), value);
  return { ...options, [first]: inner };
}

/** Fills in missing options: the first source that sets an option counts. */
export function filled<Into extends object>(
  options: Into,
  from: object,
  table: OptionTable,
  takes: (row: OptionRow) => boolean = () => true,
): Into {
  let all = options;
  for (const [name, row] of rowsIn(table)) {
    const value = optionValue(from, name);
    if (value === undefined || !takes(row) || optionValue(all, name) !== undefined) continue;
    all = withOptionValue(all, name, value);
  }
  return all;
}

/** The options that one kind of library call takes. */
export function optionsForCall<Taken extends object>(
  call: 'run' | 'chat',
  options: object,
  table: OptionTable,
): Taken {
  const takes = ({ library }: OptionRow): boolean => library === call || library === 'both';
  return filled({}, options, table, takes) as Taken;
}

/** The given values, with defaults for all others. */
export function settledFor(
  call: 'run' | 'chat',
  options: object,
  table: OptionTable = OPTIONS,
): ResolvedRunOptions {
  const usual = rowsIn(table).reduce<object>(
    (all, [name, row]) => (row.usual === undefined ? all : withOptionValue(all, name, row.usual)),
    {},
  );
  const isOfRuns = ({ library }: OptionRow): boolean => library === 'both' || library === 'run';
  return filled(optionsForCall(call, options, table), usual, table, isOfRuns) as ResolvedRunOptions;
}

/** The parts of each option of the library that is an object. */
export function groupsOf(): { readonly [group: string]: { readonly [part: string]: true } } {
  const groups: { [group: string]: { [part: string]: true } } = {};
  for (const [name, { library }] of rowsIn(OPTIONS)) {
    const [group = '', part] = pathOf(name);
    if (library !== undefined && part !== undefined)
      groups[group] = { ...groups[group], [part]: true };
  }
  return groups;
}

export const optionNamesFor = (
  call: 'run' | 'chat',
  table: OptionTable = OPTIONS,
): { readonly [name: string]: true } =>
  Object.fromEntries(
    rowsIn(table).flatMap(([name, { library }]) =>
      library === call || library === 'both' ? [[pathOf(name)[0] ?? '', true as const]] : [],
    ),
  );
