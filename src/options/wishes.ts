/** What somebody wishes: the values of options by their names, whoever gave them. One shape from door to engine. */
import type { Kind } from './kinds.ts';
import type { OptionRow } from './row.ts';
import { OPTIONS, type OptionTable, pathOf, rowsOf } from './table.ts';

type Table = typeof OPTIONS;

type ValueOf<Row> = Row extends { readonly kind: Kind<infer Value> } ? Value : never;

/** Names with a dot are parts of an object. */
type Whole<Name> = Name extends `${string}.${string}` ? never : Name;
type Group<Name> = Name extends `${infer First}.${string}` ? First : never;
type Part<Name, First extends string> = Name extends `${First}.${infer Rest}` ? Rest : never;

type WishesOf<Rows> = {
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

/** All that can be wished. */
export type Wishes = Flat<WishesOf<Table>>;
/** Of a run, as the library calls it. */
export type RunWishes = Flat<WishesOf<Taking<'run' | 'both'>>>;
/** The same with what holds where nothing is said. */
export type SettledWishes = Omit<RunWishes, keyof UsualOfRuns> & UsualOfRuns;
/** Of a conversation. */
export type ChatWishes = Flat<WishesOf<Taking<'chat' | 'both'>>>;
/** Of both. */
export type CommonWishes = Flat<WishesOf<Taking<'both'>>>;

type UsualOfRuns = {
  readonly [Name in keyof RunWishes & Whole<keyof Usual>]-?: NonNullable<RunWishes[Name]>;
} & {
  readonly [First in keyof RunWishes & Group<keyof Usual>]-?: Required<
    NonNullable<RunWishes[First]>
  >;
};

type Values = { readonly [name: string]: unknown };

/** The value of an option; `undefined` where nobody gave one. */
export function wishOf(wishes: object, name: string): unknown {
  let value: unknown = wishes;
  for (const step of pathOf(name)) value = (value as Values | undefined)?.[step];
  return value;
}

/** The same wishes with one more. */
export function withWish<Into extends object>(wishes: Into, name: string, value: unknown): Into {
  const [first = '', ...rest] = pathOf(name);
  const part = (wishes as Values)[first] as object | undefined;
  const inner = rest.length === 0 ? value : withWish(part ?? {}, rest.join('.'), value);
  return { ...wishes, [first]: inner };
}

/** What was given first counts, option by option. */
export function filled<Into extends object>(
  wishes: Into,
  from: object,
  table: OptionTable,
  takes: (row: OptionRow) => boolean = () => true,
): Into {
  let all = wishes;
  for (const [name, row] of rowsOf(table)) {
    const value = wishOf(from, name);
    if (value === undefined || !takes(row) || wishOf(all, name) !== undefined) continue;
    all = withWish(all, name, value);
  }
  return all;
}

/** Of the wishes those that one kind of call of the library takes. */
export function wishesFor<Taken extends object>(
  call: 'run' | 'chat',
  wishes: object,
  table: OptionTable,
): Taken {
  const takes = ({ library }: OptionRow): boolean => library === call || library === 'both';
  return filled({}, wishes, table, takes) as Taken;
}

/** What a run is to have: what was wished, else what holds anyway. */
export function settledFor(
  call: 'run' | 'chat',
  wishes: object,
  table: OptionTable = OPTIONS,
): SettledWishes {
  const usual = rowsOf(table).reduce<object>(
    (all, [name, row]) => (row.usual === undefined ? all : withWish(all, name, row.usual)),
    {},
  );
  const isOfRuns = ({ library }: OptionRow): boolean => library === 'both' || library === 'run';
  return filled(wishesFor(call, wishes, table), usual, table, isOfRuns) as SettledWishes;
}

/** What the options of a call are called. */
export const namesFor = (
  call: 'run' | 'chat',
  table: OptionTable = OPTIONS,
): { readonly [name: string]: true } =>
  Object.fromEntries(
    rowsOf(table).flatMap(([name, { library }]) =>
      library === call || library === 'both' ? [[pathOf(name)[0] ?? '', true as const]] : [],
    ),
  );
