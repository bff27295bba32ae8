/** Calls that were refused and that nothing has made good since. */

export interface RefusedCall {
  /** The subtask that it was made for; '' before a plan. */
  readonly subtask: string;
  readonly tool: string;
  /** Its command line or file. */
  readonly target: string;
  /** Of what was noted or asked; left out where a rule refused it. */
  readonly wish?: string;
  /** It would only have looked: what is done without it is done. */
  readonly isLook?: true;
  /** A person said no, and knows that it was not made. */
  readonly isNo?: true;
  /** A person or a rule allowed it since, and no call has done it yet. */
  readonly isGiven?: true;
  /** The rule that allows it, where one does. */
  readonly rule?: string;
  /** The model knows that it is allowed. */
  readonly isTold?: true;
}
