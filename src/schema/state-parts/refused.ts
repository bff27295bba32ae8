/** Refused calls that nothing has made up for since. */

/** Takes the place of the subtask: no call was made yet, but the model says that it would need it. */
export const FORESEEN = '';

export interface RefusedCall {
  /** The subtask that it was made for; empty before a plan, and for calls that are only foreseen. */
  readonly subtask: string;
  readonly tool: string;
  /** The command line or file of the call. */
  readonly target: string;
  /** The run's turns when it was refused: the same reply did not know of the refusal. */
  readonly turn?: number;
  /** The offset of its record in the journal; left out if no call was made. */
  readonly offset?: number;
  /** The id of the noted or asked request; left out if a rule refused it. */
  readonly wish?: string;
  /** A later reply ended its subtask with other work, knowing of the refusal. */
  readonly isGotRound?: true;
  /**
   * Set if a tool does what the refused program does: the files it named that no tool has changed since; or
   * the new paths, each with a `/` after it, of which one is enough.
   */
  readonly left?: readonly string[];
  /** The call would have changed nothing, so work without it is complete. */
  readonly isReadOnly?: true;
  /** A person said no, and knows that it was not made. */
  readonly isNo?: true;
  /** A person or a rule has allowed it since, and no call has done it yet. */
  readonly isGiven?: true;
  /** The rule that allows the call, if one does. */
  readonly rule?: string;
  /** The single rule that was offered for it, which is as narrow as a rule can be. */
  readonly offered?: string;
  /** If a rule refused it: the user's rules that would allow it. */
  readonly allowedBy?: readonly string[];
  /** Other calls under that rule that have succeeded since it is allowed. They do not replace it. */
  readonly others?: readonly string[];
  /** The model knows that it is allowed. */
  readonly isTold?: true;
}
