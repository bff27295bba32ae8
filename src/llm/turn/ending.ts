import type { OptionAdvice } from '../../lib/errors.ts';
import type { TurnStatus } from '../../schema/model/turn.ts';

export interface TurnEnding extends OptionAdvice {
  readonly status: TurnStatus;
  /** What went wrong, in one sentence; '' for a success. */
  readonly detail: string;
  /** The next step for the user, if the provider names one. */
  readonly hint?: string;
}
