/** What the state of a goal has that the driver `guided` alone writes. */

/** An answer that is held against a file and never written. */
export interface SecondWriting {
  /** sha256 of the file that it is held against. */
  readonly of: string;
  /** Of its turn: what was said before is answered. */
  readonly seq: number;
  /** Where its turn stands; `null`: it could not be had. */
  readonly offset: number | null;
  /** What came was no code, for the first time: it is asked for once more. */
  readonly isNoCode?: true;
}

/** A file whose content is asked for apart from the action that named it. */
export interface ContentRequest {
  readonly file: string;
  readonly tries: number;
  /** What was wrong with the last try. */
  readonly faults: readonly string[];
  /** The old content came back: from now on it is asked for without being shown. */
  readonly withoutCurrentContent: boolean;
}

export interface GuidedState {
  readonly contentRequest: ContentRequest | null;
  /** What was written once more, by file; left out before the first. */
  readonly secondWritings?: { readonly [path: string]: SecondWriting };
}
