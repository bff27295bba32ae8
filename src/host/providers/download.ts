/** Progress reports of downloads. */
/** The progress of long work. */
export interface ProgressLine {
  readonly text: string;
  /** True for a line that the next one replaces, such as a count of bytes. */
  readonly isReplaced: boolean;
}

export interface Download {
  readonly report: (line: ProgressLine) => void;
  /** Milliseconds between two lines about the bytes of a download. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
}
