/** Calls that were refused and that nothing has made good since. */

/** In place of its subtask: no call was made yet, and the model says that it would need it. */
export const FORESEEN = '';

export interface RefusedCall {
  /** The subtask that it was made for; '' before a plan, and of what is only foreseen. */
  readonly subtask: string;
  readonly tool: string;
  /** Its command line or file. */
  readonly target: string;
  /** Turns of the run when it was refused: what the same reply says, it says without knowing. */
  readonly turn?: number;
  /** Where the record of it stands in the journal; left out as long as no call was made. */
  readonly offset?: number;
  /** Of what was noted or asked; left out where a rule refused it. */
  readonly wish?: string;
  /** Its subtask was ended by a later reply, with other work in it: whoever said so knew what was refused. */
  readonly isGotRound?: true;
  /** It would have changed nothing: what is done without it is done. */
  readonly isReadOnly?: true;
  /** A person said no, and knows that it was not made. */
  readonly isNo?: true;
  /** A person or a rule allowed it since, and no call has done it yet. */
  readonly isGiven?: true;
  /** The rule that allows it, where one does. */
  readonly rule?: string;
  /** The one rule that was offered for it, which is as narrow as a rule can be. */
  readonly offered?: string;
  /** Other calls under that rule that ended well since it is allowed. They do not stand for it. */
  readonly others?: readonly string[];
  /** The model knows that it is allowed. */
  readonly isTold?: true;
}
