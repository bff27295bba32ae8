/** A person leads: the model is spoken to as under the driver that it could have, and nothing of a plan binds it. */
import type { Calling } from '../../schema/driver.ts';
import type { Driver } from '../driver.ts';
import { SUMMARY_SYSTEM, summaryRequest } from './prompt.ts';
import { transcriptText } from './transcript.ts';

export const chat = (spokenTo: Driver, calling: Calling): Driver => ({
  ...spokenTo,
  leavesRunning: false,
  hasFurtherTools: calling !== 'text',
  // The person hears of a failed edit at once, and the next one is to hold.
  showsTextFrom: 1,
  mayInsist: true,
  // Who is not there now reads the answer later.
  waitsForPerson: false,
  // Nothing proves the work of a small model, and no word of a message says what may be changed.
  asksToChange: calling === 'held',
  hasVerdict: false,
  // What a person and the model have said is known to nobody else.
  summary: (messages, room) => [
    { role: 'system', content: SUMMARY_SYSTEM },
    { role: 'user', content: summaryRequest(transcriptText(messages, room)) },
  ],
  closedReason: () => null,
});
