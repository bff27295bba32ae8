/** The parts of the browser that the page uses. Tests pass their own. */
export interface Browser {
  fetch(path: string, init: RequestInit): Promise<Response>;
  /** Milliseconds since 1970. */
  now(): number;
  /** 0 to 1. */
  random(): number;
  /** A new unique identifier. */
  uniqueId(): string;
  /** Resolves after `ms`, or when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Runs the task before the next frame is drawn; later while the tab is hidden. */
  beforeNextFrame(task: () => void): void;
  /** Runs the task when the network returns or the tab becomes visible. @returns a function that unsubscribes */
  onWake(task: () => void): () => void;
  /** Storage of this tab only. */
  readonly storage: {
    getItem(name: string): string | null;
    setItem(name: string, value: string): void;
    removeItem(name: string): void;
  };
}
