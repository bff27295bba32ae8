/** Who leads a run, and what that means to those who only read its records. */
import type { ToolMode } from './records.ts';

/** `guided`: the engine leads and the model fills in. `free`: the model leads with tools. */
export type DriverName = 'guided' | 'free';

export interface DriverTraits {
  /** Tools, the calls of them and their results are on the wire as such; every call gets a result. */
  readonly callsTools: boolean;
  /** A write names only its file; the content is asked for in a turn of its own. */
  readonly asksForContentApart: boolean;
  /** A failed check runs again by itself once something was mended. */
  readonly mendsByItself: boolean;
}

export const TRAITS: { readonly [name in DriverName]: DriverTraits } = {
  guided: { callsTools: false, asksForContentApart: true, mendsByItself: true },
  free: { callsTools: true, asksForContentApart: false, mendsByItself: false },
};

const DRIVERS: { readonly [mode in ToolMode]: DriverName } = { native: 'free', json: 'guided' };

/** What is journalled of the choice. */
export interface DriverSettings {
  readonly mode: ToolMode;
}

/** Before the settings are known nothing is asked, so nothing depends on who leads. */
export const driverNameOf = (settings: DriverSettings | null): DriverName =>
  settings === null ? 'free' : DRIVERS[settings.mode];

export const traitsOf = (settings: DriverSettings | null): DriverTraits =>
  TRAITS[driverNameOf(settings)];
