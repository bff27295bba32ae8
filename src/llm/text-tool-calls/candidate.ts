// What a format finds: text that looks like a call, not yet checked against any tool.
export interface CallCandidate {
  /** '' if it is unreadable. */
  readonly name: string;
  /** `null`: a call began here, but its arguments are unreadable. */
  readonly args: Record<string, unknown> | null;
  /** Where in the text it begins: a call inside another one's arguments does not count. */
  readonly at: number;
  readonly end: number;
  /** `marked`: tags or tokens with no other meaning. `explicit`: its name is labelled as such. */
  readonly weight: 'marked' | 'explicit';
  /** Values are text only because the format knows no other type. */
  readonly untyped?: boolean;
  /** The candidate stands inside a code block. */
  readonly isInCode?: boolean;
}

/** No more are examined per text and format: no answer contains as many calls. */
export const MAX_CANDIDATES = 1_000;

export type Family = (text: string) => readonly CallCandidate[];
