import type { ProcessHooks, ProcessRequest } from '../../src/processes/contract.ts';

/** A request that runs `script` in this Node, with an environment that holds nothing else. */
export function nodeRequest(script: string, more: Partial<ProcessRequest> = {}): ProcessRequest {
  return {
    file: process.execPath,
    args: ['-e', script],
    cwd: process.cwd(),
    env: { PATH: process.env.PATH ?? '' },
    timeoutMs: 30_000,
    maxOutputBytes: 100_000,
    ...more,
  };
}

export interface WatchedHooks extends ProcessHooks {
  readonly spawned: { pid: number; startTime: string }[];
  /** Everything heard so far. */
  heard(): string;
  /** Resolves when what was heard matches. */
  hears(pattern: RegExp): Promise<RegExpExecArray>;
  abort(): void;
}

export function watchedHooks(): WatchedHooks {
  const controller = new AbortController();
  const spawned: { pid: number; startTime: string }[] = [];
  const waiting = new Set<() => void>();
  let text = '';
  return {
    spawned,
    signal: controller.signal,
    heard: () => text,
    abort: () => controller.abort(),
    onSpawn: (pid, startTime) => void spawned.push({ pid, startTime }),
    onOutput: (more) => {
      text += more;
      for (const look of waiting) look();
    },
    hears: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = pattern.exec(text);
          if (found === null) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}
