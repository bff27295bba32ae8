// What a family finds: something that looks like a call, not yet checked against any tool.
export interface Candidate {
  /** '' where it could not be read. */
  readonly name: string;
  /** `null`: a call was begun here and its arguments cannot be read. */
  readonly args: Record<string, unknown> | null;
  /** Where in the text it begins: a form inside another one's arguments is not a call. */
  readonly at: number;
  readonly end: number;
  readonly form: string;
  /**
   * `marked`: tags or tokens that stand for nothing else. `explicit`: name and arguments are called
   * so. `implied`: only the name of a tool makes it one.
   */
  readonly weight: 'marked' | 'explicit' | 'implied';
  /** True when its text could have meant something else. */
  readonly repaired: boolean;
  /** Values are text only because the form knows nothing else. */
  readonly untyped?: boolean;
  /** It stands where code is shown. */
  readonly isInCode?: boolean;
}

/** So many are looked at in one text, of each form: no answer holds as many calls. */
export const MOST_CANDIDATES = 1_000;

export type Family = (text: string) => readonly Candidate[];

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
