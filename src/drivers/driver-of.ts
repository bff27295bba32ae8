/** The only place where a driver is looked up. */
import { type DriverName, type DriverSettings, driverNameOf } from '../schema/driver.ts';
import type { ToolMode } from '../schema/records.ts';
import type { Driver } from './driver.ts';
import { free } from './free/free.ts';
import { guided } from './guided/guided.ts';

const DRIVERS: { readonly [name in DriverName]: Driver } = { guided, free };

export const driverNamed = (name: DriverName): Driver => DRIVERS[name];

/** The one that a person means by a tool mode. */
export const driverMeantBy = (mode: ToolMode): Driver => (free.mode === mode ? free : guided);

/** The one that these settings stand for. */
export const driverOf = (settings: DriverSettings | null): Driver =>
  driverNamed(driverNameOf(settings));
