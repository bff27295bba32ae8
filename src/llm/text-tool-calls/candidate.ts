// What a family finds: something that looks like a call, not yet checked against any tool.
export interface Candidate {
  readonly name: string;
  readonly args: Record<string, unknown>;
  /** Where in the text it begins: a form inside another one's arguments is no call. */
  readonly at: number;
  readonly form: string;
  readonly repaired: boolean;
  /** Values are text only because the form knows nothing else. */
  readonly untyped?: boolean;
}

export type Family = (text: string) => readonly Candidate[];

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
