import type { CandidateName } from '../../schema/events/events.ts';
import type { ToolMode } from '../../schema/records.ts';
import type { Provider } from '../provider.ts';

/** A model a run may be asked with. The order of several is the order of preference. */
export interface Candidate {
  readonly provider: Provider;
  readonly model: string;
  /** Such as `ANTHROPIC_API_KEY_2`: it is journalled and shown. */
  readonly profile: string;
  /** Where `provider` was told to ask, for a later resume: it is journalled, so without credentials. */
  readonly baseUrl?: string;
  /** Tokens; left out: as large as the model and a laptop bear. */
  readonly contextWindow?: number;
  /** Left out: by what the model says it can. */
  readonly mode?: ToolMode;
}

/** The profile of a backend that asks for no credentials. */
export const DEFAULT_PROFILE = 'default';

export const nameOf = ({ provider, model, profile }: Candidate): CandidateName => ({
  provider: provider.name,
  model,
  profile,
});

/** For people: `anthropic claude-x (ANTHROPIC_API_KEY_2)`. */
export const candidateText = ({ provider, model, profile }: CandidateName): string =>
  `${provider} ${model}${profile === DEFAULT_PROFILE ? '' : ` (${profile})`}`;
