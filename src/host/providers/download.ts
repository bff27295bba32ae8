/** Work that takes long, and how its start is told of it. */
/** How work that takes long is going. */
export interface ProgressLine {
  readonly text: string;
  /** True for a state that the next line replaces, such as how many bytes are here. */
  readonly isReplaced: boolean;
}

export interface Download {
  readonly report: (line: ProgressLine) => void;
  /** Milliseconds between two lines about the bytes of a download. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
}
