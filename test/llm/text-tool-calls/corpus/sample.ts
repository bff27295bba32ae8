// What a model wrote, and what must come of it.

export type Expected =
  | { readonly outcome: 'call'; readonly calls: readonly ExpectedCall[] }
  /** Not run; the answer to the model holds these pieces. */
  | { readonly outcome: 'shown back'; readonly says: readonly string[] }
  | { readonly outcome: 'text' };

type Args = { readonly [name: string]: unknown };
export type ExpectedCall = readonly [name: string, args: Args];

export interface Sample {
  /** The form and what is odd about it. */
  readonly title: string;
  /** A model known to write so. */
  readonly model: string;
  readonly text: string;
  readonly expected: Expected;
}

export const calls = (...expected: readonly ExpectedCall[]): Expected => ({
  outcome: 'call',
  calls: expected,
});
export const shownBack = (...says: readonly string[]): Expected => ({
  outcome: 'shown back',
  says,
});
export const TEXT: Expected = { outcome: 'text' };

/** A row of a corpus file. */
export type Row = readonly [title: string, model: string, text: string, expected: Expected];

export const samplesOf = (rows: readonly Row[]): readonly Sample[] =>
  rows.map(([title, model, text, expected]) => ({ title, model, text, expected }));

/** The call most samples are about, and its pieces. */
export const ARGS = '{"path": "a.txt", "content": "hi"}';
export const CALL = `{"name": "write_file", "arguments": ${ARGS}}`;
export const WRITE: ExpectedCall = ['write_file', { path: 'a.txt', content: 'hi' }];
export const READ: ExpectedCall = ['read_file', { path: 'a.txt' }];
export const READ_CALL = '{"name": "read_file", "arguments": {"path": "a.txt"}}';
