/** Who leads a run, and what that means for code that only reads its records. */
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
  /** The driver's value for the option `toolMode`. */
  readonly mode: 'native' | 'json';
  /** Tools, calls and results use the provider's own protocol; every call gets a result. */
  readonly callsTools: boolean;
  /** A failed check runs again automatically after a repair. */
  readonly mendsByItself: boolean;
  /** A problem found in a subtask's file keeps the subtask open; otherwise it is only a remark. */
  readonly looksGate: boolean;
  /** The run's own tests are evidence even if no example of the goal passes. */
  readonly ownTestsProve: boolean;
  /** Content that loses much of an existing file is written if the model sends it a second time. */
  readonly mayInsist: boolean;
  /** Changes to existing files stay only if they are proved or a person accepts them. */
  readonly keepsOnlyProved: boolean;
  /** The default number of rounds per start. */
  readonly maxRounds: number;
  /** The most tokens of instruction files, if that is less than their share of the window. */
  readonly mostInstructions: number | null;
  /** Limits for tool results that the model sees: characters in total, and characters per token of the window. */
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
    // 12 % of the window at four characters per token.
    results: { most: 40_000, perToken: 0.48 },
  },
};

/** The journalled part of the choice. */
export interface DriverSettings {
  readonly driver: AnyDriver;
  readonly calling?: Calling | undefined;
}

/**
 * Before the settings are known nothing is asked, so the driver does not matter. In a conversation, a model
 * that calls tools is addressed like a free driver's model, any other like a guided one.
 */
export function driverNameOf(settings: DriverSettings | null): DriverName {
  if (settings?.driver !== 'chat') return settings?.driver ?? 'free';
  return settings.calling === 'wire' ? 'free' : 'guided';
}

export const traitsOf = (settings: DriverSettings | null): DriverTraits =>
  TRAITS[driverNameOf(settings)];
