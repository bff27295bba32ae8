/** The part of a turn's record about its outcome, for runs and conversations. */
import * as z from 'zod';
import { AssistantReply } from '../model/messages.ts';
import { TurnStatus, Usage } from '../model/turn.ts';
import { Decoded, OPTION_ADVISED } from './record-parts.ts';

export const TURN_OUTCOME = {
  status: TurnStatus,
  /** What went wrong; empty for a success. */
  detail: z.string(),
  /** The next step for the user, if there is one. */
  hint: z.string().optional(),
  ...OPTION_ADVISED,
  rawReason: z.string(),
  response: AssistantReply,
  decoded: Decoded,
  usage: Usage,
  /**
   * US dollars, by the price of the model that answered; `null`: the price is unknown; left out if it cost
   * nothing.
   */
  cost: z.number().nullable().optional(),
};
