/**
 * Reads what is typed key by key (raw mode). Invariants:
 * 1. Raw mode is left when nobody reads any more, at the latest when the process ends.
 * 2. No read is under way while it is left. On Windows such a read goes on as one of a whole line, which takes what is
 *    typed next away from the next reader; and a stream that is paused stops its read only in the next tick.
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
  /** In the next tick, behind what the tick before has put there. */
  later(action: () => void): void;
  onExit(action: () => void): void;
}

/** Returns a function that reads until the function that it returns is called. */
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
