/** Pure: signs what goes through the engine, and verifies it when it comes back. */
import { isMacOf, macOf, type SignedFields } from '../lib/mac.ts';
import type { FleetAnswer, FleetRequest } from './contract.ts';

type Unsigned<Value> = Omit<Value, 'mac'>;

const requestParts = (request: Unsigned<FleetRequest>): SignedFields => [
  ...['fleet_wish', request.run, request.workspace, request.goal],
  ...[request.tenant, request.at, JSON.stringify(request.words)],
  ...(request.home === undefined ? [] : [request.home]),
];

/** An answer is bound to its run. */
const answerParts = (run: string, { id, allowed, why }: Unsigned<FleetAnswer>): SignedFields => [
  ...['fleet_answer', run, id, allowed, why],
];

export const signRequest = (key: Uint8Array, request: Unsigned<FleetRequest>): FleetRequest => ({
  ...request,
  mac: macOf(key, requestParts(request)),
});

export const isOwnRequest = (key: Uint8Array, request: FleetRequest): boolean =>
  isMacOf(key, requestParts(request), request.mac);

export const signAnswer = (
  key: Uint8Array,
  run: string,
  answer: Unsigned<FleetAnswer>,
): FleetAnswer => ({ ...answer, mac: macOf(key, answerParts(run, answer)) });

export const isOwnAnswer = (key: Uint8Array, run: string, answer: FleetAnswer): boolean =>
  isMacOf(key, answerParts(run, answer), answer.mac);
