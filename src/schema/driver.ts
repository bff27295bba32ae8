/** Who leads a run, and what that means to those who only read its records. */
import * as z from 'zod';
import { DEFAULT_MAX_ROUNDS } from './config.ts';

/** Who leads a goal. `guided`: the engine leads and the model fills in. `free`: the model leads with tools. */
export const DriverName = z.enum(['guided', 'free']);
export type DriverName = z.infer<typeof DriverName>;

/** `chat`: a person leads, in a conversation. */
export const AnyDriver = z.enum([...DriverName.options, 'chat']);
export type AnyDriver = z.infer<typeof AnyDriver>;

/**
 * How the model of a conversation calls tools. `wire`: tools and calls are on the wire as such. `held`: each
 * answer is one object by a schema, words or one call. `text`: calls are written as text.
 */
export const Calling = z.enum(['wire', 'held', 'text']);
export type Calling = z.infer<typeof Calling>;

export interface DriverTraits {
  /** What the option `toolMode` calls it. */
  readonly mode: 'native' | 'json';
  /** Tools, the calls of them and their results are on the wire as such; every call gets a result. */
  readonly callsTools: boolean;
  /** A failed check runs again by itself once something was mended. */
  readonly mendsByItself: boolean;
  /** A problem that a look found in a file of a subtask keeps it open; else it is only a remark. */
  readonly looksGate: boolean;
  /** Tests that it wrote itself prove something without an example of the goal that holds too. */
  readonly ownTestsProve: boolean;
  /** A content that loses much of a given file is written where the model sends it a second time. */
  readonly mayInsist: boolean;
  /** What it changed in files that were there stays only where it is proved or a person accepts it. */
  readonly keepsOnlyProved: boolean;
  /** Rounds from one start on, where nobody says how many. */
  readonly maxRounds: number;
  /** Tokens of instruction files at most, where it is less than their share of the window. */
  readonly mostInstructions: number | null;
  /** Results of tools that the model sees: at most so many characters, and so many a token of the window. */
  readonly results: { readonly most: number; readonly perToken: number };
}

export const TRAITS: { readonly [name in DriverName]: DriverTraits } = {
  guided: {
    mode: 'json',
    callsTools: false,
    mendsByItself: true,
    looksGate: true,
    ownTestsProve: false,
    mayInsist: false,
    keepsOnlyProved: true,
    maxRounds: DEFAULT_MAX_ROUNDS.guided,
    mostInstructions: 600,
    results: { most: 8000, perToken: 0.4 },
  },
  free: {
    mode: 'native',
    callsTools: true,
    mendsByItself: false,
    looksGate: false,
    ownTestsProve: true,
    mayInsist: true,
    keepsOnlyProved: false,
    maxRounds: DEFAULT_MAX_ROUNDS.free,
    mostInstructions: null,
    // 12 % of the window, with four characters a token.
    results: { most: 40_000, perToken: 0.48 },
  },
};

/** What is journalled of the choice. */
export interface DriverSettings {
  readonly driver: AnyDriver;
  readonly calling?: Calling | undefined;
}

/**
 * Before the settings are known nothing is asked, so nothing depends on who leads. The model of a conversation
 * is spoken to as one that leads where it calls tools, and as one that is led where it does not.
 */
export function driverNameOf(settings: DriverSettings | null): DriverName {
  if (settings?.driver !== 'chat') return settings?.driver ?? 'free';
  return settings.calling === 'wire' ? 'free' : 'guided';
}

export const traitsOf = (settings: DriverSettings | null): DriverTraits =>
  TRAITS[driverNameOf(settings)];
