/** A person leads: the model is addressed as under the driver that would suit it, and no plan binds it. */
import type { Calling } from '../../schema/driver.ts';
import type { Driver } from '../driver.ts';
import { SUMMARY_SYSTEM, summaryRequest } from './prompt.ts';
import { transcriptText } from './transcript.ts';

export const chat = (spokenTo: Driver, calling: Calling): Driver => ({
  ...spokenTo,
  leavesRunning: false,
  hasFurtherTools: calling !== 'text',
  // The person learns of a failed edit at once, and the next edit should succeed.
  showsTextFrom: 1,
  mayInsist: true,
  // A person who is away now reads the answer later.
  waitsForPerson: false,
  // Nothing proves a small model's work, and no word of a message says what may be changed.
  asksToChange: calling === 'held',
  hasVerdict: false,
  // Only the conversation knows what the person and the model have said.
  summary: (messages, room, isSummedUp) => [
    { role: 'system', content: SUMMARY_SYSTEM },
    { role: 'user', content: summaryRequest(transcriptText(messages, room, isSummedUp)) },
  ],
  closedReason: () => null,
});
