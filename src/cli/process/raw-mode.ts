/**
 * Reads what is typed key by key (raw mode). Invariants:
 * 1. Raw mode is left when nobody reads any more, at the latest when the process ends.
 * 2. No read is under way while raw mode is left. On Windows such a read would go on as a read of a whole
 *    line, and take the next typed text away from the next reader. A paused stream stops its read only in the
 *    next tick.
 */
export interface RawInput {
  readonly isRaw: boolean;
  setRawMode(isRaw: boolean): unknown;
  pause(): unknown;
  resume(): unknown;
  on(name: 'data', listener: (chunk: Buffer | string) => void): unknown;
  off(name: 'data', listener: (chunk: Buffer | string) => void): unknown;
}

export interface RawModePlace {
  readonly platform: NodeJS.Platform;
  input(): RawInput;
  /** Calls the action in the next tick, after the actions that the tick before has put there. */
  later(action: () => void): void;
  onExit(action: () => void): void;
}

/** Returns a function that begins reading and returns a function that ends it. */
export function rawReading({ platform, input, later, onExit }: RawModePlace) {
  let readers = 0;
  let isWatched = false;
  const leave = (): void => {
    if (readers === 0 && input().isRaw) input().setRawMode(false);
  };
  return (onData: (chunk: Buffer | string) => void): (() => void) => {
    if (!isWatched)
      onExit(() => {
        readers = 0;
        leave();
      });
    isWatched = true;
    readers += 1;
    const stdin = input();
    stdin.on('data', onData);
    stdin.setRawMode(true);
    stdin.resume();
    return () => {
      readers -= 1;
      stdin.off('data', onData);
      stdin.pause();
      if (platform === 'win32') later(leave);
      else leave();
    };
  };
}
