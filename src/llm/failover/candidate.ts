import type { CandidateName } from '../../schema/events/events.ts';
import type { ToolMode } from '../../schema/records.ts';
import type { Provider } from '../provider.ts';

/** A model that a run may ask. Several are listed in order of preference. */
export interface Candidate {
  readonly provider: Provider;
  readonly model: string;
  /** Such as `ANTHROPIC_API_KEY_2`: it is journalled and shown. */
  readonly profile: string;
  /** The address that `provider` was given, for a later resume: it is journalled, so without credentials. */
  readonly baseUrl?: string;
  /** Tokens; left out: as many as the model and a laptop can handle. */
  readonly contextWindow?: number;
  /** Left out: decided by the model's capabilities. */
  readonly mode?: ToolMode;
}

/** The profile of a backend that needs no credentials. */
export const DEFAULT_PROFILE = 'default';

export const nameOf = ({ provider, model, profile }: Candidate): CandidateName => ({
  provider: provider.name,
  model,
  profile,
});

/** For people: `anthropic claude-x (ANTHROPIC_API_KEY_2)`. */
export const candidateText = ({ provider, model, profile }: CandidateName): string =>
  `${provider} ${model}${profile === DEFAULT_PROFILE ? '' : ` (${profile})`}`;
