/** What of the browser the page uses, so that a test can hand in another. */
export interface Doors {
  fetch(path: string, init: RequestInit): Promise<Response>;
  /** Milliseconds since 1970. */
  now(): number;
  /** 0 to 1. */
  chance(): number;
  /** One that nobody else has. */
  name(): string;
  /** Resolves at the latest when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Before the next picture is drawn; later where nobody looks. */
  soon(act: () => void): void;
  /** Called when the network is there again, or somebody looks. @returns what ends it */
  onWake(act: () => void): () => void;
  /** Of this tab alone. */
  readonly kept: {
    getItem(name: string): string | null;
    setItem(name: string, value: string): void;
    removeItem(name: string): void;
  };
}
