/** Transports a server's text in both directions: a program's streams, or a socket. */
export interface ServerChannel {
  /** Text for a server that is gone is dropped. */
  write(text: string): void;
  /** Resolves when it is gone. Never throws. */
  end(): Promise<void>;
}

export interface LineHooks {
  onText(text: string): void;
  /** Called once, with the last words of the server or of the system. */
  onEnd(detail: string): void;
}
