/** Signs what goes through the engine, and tells whether it came back as it was signed. Pure. */
import { isMacOf, macOf, type Signed } from '../lib/mac.ts';
import type { FleetAnswer, FleetWish } from './contract.ts';

type Unsigned<Value> = Omit<Value, 'mac'>;

const wishParts = (wish: Unsigned<FleetWish>): Signed => [
  ...['fleet_wish', wish.run, wish.workspace, wish.goal],
  ...[wish.tenant, wish.at, JSON.stringify(wish.words)],
  ...(wish.home === undefined ? [] : [wish.home]),
];

/** An answer counts for the run that it was given to. */
const answerParts = (run: string, { id, allowed, why }: Unsigned<FleetAnswer>): Signed => [
  ...['fleet_answer', run, id, allowed, why],
];

export const signWish = (key: Uint8Array, wish: Unsigned<FleetWish>): FleetWish => ({
  ...wish,
  mac: macOf(key, wishParts(wish)),
});

export const isOwnWish = (key: Uint8Array, wish: FleetWish): boolean =>
  isMacOf(key, wishParts(wish), wish.mac);

export const signAnswer = (
  key: Uint8Array,
  run: string,
  answer: Unsigned<FleetAnswer>,
): FleetAnswer => ({ ...answer, mac: macOf(key, answerParts(run, answer)) });

export const isOwnAnswer = (key: Uint8Array, run: string, answer: FleetAnswer): boolean =>
  isMacOf(key, answerParts(run, answer), answer.mac);
