/** Who is asked, in order, as a call of a run names them. */

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

/** It is journalled, so whoever gave it with a password does not find that there. */
const withoutCredentials = (one: Candidate): Candidate =>
  one.baseUrl === undefined ? one : { ...one, baseUrl: addressWithoutCredentials(one.baseUrl) };
