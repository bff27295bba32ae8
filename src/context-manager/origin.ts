/**
 * Decides whether this user's agent wrote a run. The key lies in the user's data folder, so people who send a
 * folder do not have it. Pure.
 * 1. A MAC covers the run and what is trusted, but not the location of the folder.
 * 2. For an adopted run, the last adoption counts and nothing before it.
 */
import stringify from 'fast-json-stable-stringify';
import { isMacOf, macOf, type SignedFields } from '../lib/mac.ts';
import type { Adoption } from '../schema/journal/origin.ts';
import type { JournalRecord, RecordOf } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';

export interface OriginFacts
  extends Pick<RunState, 'run' | 'goal' | 'goalHash' | 'startedAt' | 'version'> {
  readonly mac?: string | undefined;
  readonly adopted?: Adoption | undefined;
}

/** The address that a run or conversation was told to use. */
export interface AddressFacts {
  readonly run: string;
  readonly settings: Address | null;
}

/** Throws E_FOREIGN when nobody may act on a run. */
export type Accept = (facts: OriginFacts, hashOf: HashOf) => void;

/** The sha256 of the journal's first bytes, in hex. */
export type HashOf = (bytes: number) => string;

export interface Origin {
  /** The record to write, signed if it must be trusted later. */
  sign<R extends JournalRecord>(record: R, run: string): R;
  /** True when this user's agent began the run, or this user adopted it. */
  isOwn(facts: OriginFacts, hashOf: HashOf): boolean;
  /** True when requests and a key may be sent to the address in the settings. */
  hasOwnAddress(state: AddressFacts): boolean;
  /** True when this user gave the answer or rule. */
  isOwnGrant(run: string, given: Grant): boolean;
}

const unsigned = (isTrusted: boolean): Origin => ({
  sign: (record) => record,
  isOwn: () => isTrusted,
  hasOwnAddress: () => isTrusted,
  isOwnGrant: () => isTrusted,
});

/** For callers that vouch for their folders: nothing is signed, and everything is trusted. */
export const UNCHECKED = unsigned(true);

/** `null`: a user without a key, who can sign nothing and trusts nothing. */
export const originOf = (key: Uint8Array | null | undefined): Origin =>
  key === undefined ? UNCHECKED : key === null ? NOBODY : originWith(key);

const NOBODY = unsigned(false);

const originWith = (key: Uint8Array): Origin => ({
  sign: (record, run) => {
    const parts = signedOf(record, run);
    return parts === null ? withoutMac(record) : { ...record, mac: macOf(key, parts) };
  },
  isOwn: (facts, hashOf) => {
    const { adopted, run, mac } = facts;
    if (!adopted) return isMacOf(key, openingParts(facts), mac);
    const isSigned = isMacOf(key, adoptionParts(run, adopted), adopted.mac);
    return isSigned && hashOf(adopted.offset) === adopted.base;
  },
  hasOwnAddress: ({ settings, run }) => {
    if (settings?.baseUrl === undefined) return true;
    return isMacOf(key, addressParts(run, settings), settings.mac);
  },
  isOwnGrant: (run, given) => isMacOf(key, grantParts(run, given), given.mac),
});

/** `null` for a record that needs no trust of its own. */
function signedOf(record: JournalRecord, run: string): SignedFields | null {
  switch (record.type) {
    case 'run_opened':
      return openingParts(record);
    case 'adopted':
      return adoptionParts(run, record);
    case 'settings_changed':
      return record.baseUrl === undefined ? null : addressParts(run, record);
    case 'approval_given':
      return grantParts(run, record);
    default:
      return null;
  }
}

type Opening = Omit<OriginFacts, 'mac' | 'adopted'>;

const openingParts = ({ run, goal, goalHash, startedAt, version }: Opening): SignedFields => [
  ...['run_opened', run, goal, goalHash],
  ...[startedAt, version],
];

const adoptionParts = (run: string, { base }: { readonly base: string }): SignedFields => [
  ...['adopted', run, base],
];

type Address = Pick<
  RecordOf<'settings_changed'>,
  'provider' | 'model' | 'profile' | 'baseUrl' | 'mac'
>;

const addressParts = (
  run: string,
  { provider, model, profile, baseUrl }: Address,
): SignedFields => [
  ...['settings_changed', run, provider, model],
  ...[profile ?? null, baseUrl ?? null],
];

/** The parts of an answer that its MAC covers: what is allowed, and for how long. */
export type Grant = Pick<
  RecordOf<'approval_given'>,
  'id' | 'allowed' | 'rule' | 'scope' | 'input' | 'by' | 'door' | 'mac'
>;

const grantParts = (
  run: string,
  { id, allowed, rule, scope, input, by, door }: Grant,
): SignedFields => [
  ...['approval_given', run, id],
  ...[allowed, rule ?? null, scope ?? null],
  ...(input === undefined ? [] : [stringify(input)]),
  // Answers of earlier builds lack this field.
  ...(by === undefined && door === undefined ? [] : [by ?? null, door ?? null]),
];

/** Settings are derived from earlier ones, whose MAC covers an address that may have changed. */
function withoutMac<R extends JournalRecord>(record: R): R {
  if (!('mac' in record)) return record;
  const { mac: _mac, ...rest } = record;
  return rest as R;
}
