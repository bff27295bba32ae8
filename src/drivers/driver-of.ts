/** The only place where a driver is looked up. */
import {
  type Calling,
  type DriverName,
  type DriverSettings,
  driverNameOf,
} from '../schema/driver.ts';
import type { ToolMode } from '../schema/records.ts';
import { chat } from './chat/chat.ts';
import type { Driver } from './driver.ts';
import { free } from './free/free.ts';
import { guided } from './guided/guided.ts';

const DRIVERS: { readonly [name in DriverName]: Driver } = { guided, free };

const CHATS: { readonly [calling in Calling]: Driver } = {
  wire: chat(free, 'wire'),
  held: chat(guided, 'held'),
  text: chat(guided, 'text'),
};

export const driverNamed = (name: DriverName): Driver => DRIVERS[name];

/** The driver that a person means by a tool mode. */
export const driverForMode = (mode: ToolMode): Driver => (free.mode === mode ? free : guided);

/** The driver that these settings stand for. */
export const driverOf = (settings: DriverSettings | null): Driver =>
  settings?.driver === 'chat'
    ? CHATS[settings.calling ?? 'text']
    : driverNamed(driverNameOf(settings));
