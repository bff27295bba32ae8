/** The candidates in order, as the options of a run name them. */

import { defined } from '../../lib/defined.ts';
import { addressWithoutCredentials } from '../../lib/text/addresses.ts';
import { type Candidate, DEFAULT_PROFILE } from '../../llm/failover/candidate.ts';

interface Named extends Omit<Candidate, 'profile'> {
  readonly profile?: string;
  readonly fallbacks?: readonly Candidate[];
}

export function candidatesOf(options: Named): readonly Candidate[] {
  const { provider, model, profile = DEFAULT_PROFILE, baseUrl } = options;
  const { contextWindow, fallbacks = [] } = options;
  const first: Candidate = { provider, model, profile, ...defined({ baseUrl }) };
  const all = [first, ...fallbacks].map(withoutCredentials);
  if (contextWindow === undefined) return all;
  return all.map((one) => (one.model === model ? { ...one, contextWindow } : one));
}

/** The address is journalled, so credentials are removed from it. */
const withoutCredentials = (one: Candidate): Candidate =>
  one.baseUrl === undefined ? one : { ...one, baseUrl: addressWithoutCredentials(one.baseUrl) };
