/** What carries the text of a server, both ways: a program's streams, or a socket. */
export interface Line {
  /** What is written to a server that is gone is dropped. */
  write(text: string): void;
  /** Resolves when it is gone. Never throws. */
  end(): Promise<void>;
}

export interface LineHooks {
  onText(text: string): void;
  /** Once, with the last words of the server, or of the system. */
  onEnd(detail: string): void;
}
