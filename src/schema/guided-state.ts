/** What the state of a goal has that the driver `guided` alone writes. */

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
}
