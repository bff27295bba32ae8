/** What a record of a turn says of its outcome, whoever asked. */
import * as z from 'zod';
import { AssistantReply } from '../model/messages.ts';
import { TurnStatus, Usage } from '../model/turn.ts';
import { Decoded, OPTION_ADVISED } from './record-parts.ts';

export const TURN_OUTCOME = {
  status: TurnStatus,
  /** What went wrong; '' for a success. */
  detail: z.string(),
  /** The next step for the user, where there is one. */
  hint: z.string().optional(),
  ...OPTION_ADVISED,
  rawReason: z.string(),
  response: AssistantReply,
  decoded: Decoded,
  usage: Usage,
  /**
   * US dollars by the price of the model that answered; `null`: tokens at a price nobody knows;
   * left out where it cost nothing.
   */
  cost: z.number().nullable().optional(),
};
