// Small real pieces the tests of this room share.
import { nextStepText } from '../../src/cli/command-line/option-flags.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Provider } from '../../src/llm/provider.ts';
import { takeTurn } from '../../src/llm/turn/take-turn.ts';
import {
  type ModelEvent,
  type ModelRequest,
  type ToolDefinition,
  type TurnResult,
  withHint,
} from '../../src/schema/model/turn.ts';

export const WRITE_FILE: ToolDefinition = {
  name: 'write_file',
  description: 'Create or overwrite a file',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path', 'content'],
  },
};

export const requestOf = (changes: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'qwen2.5-coder:1.5b',
  messages: [
    { role: 'system', content: 'You work on files.' },
    { role: 'user', content: 'Say hello.' },
  ],
  temperature: 0.2,
  seed: 7,
  contextWindow: 4096,
  maxOutputTokens: 512,
  ...changes,
});

/** Time stands still until a test moves it. */
export class ManualClock implements Clock {
  time = 0;
  readonly slept: number[] = [];
  private sleepers: { at: number; wake: () => void }[] = [];
  private waiters: (() => void)[] = [];

  now = (): number => this.time;
  monotonic = (): number => this.time;

  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      this.slept.push(ms);
      this.sleepers.push({ at: this.time + ms, wake: resolve });
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      for (const waiter of this.waiters.splice(0)) waiter();
    });

  advance(ms: number): void {
    this.time += ms;
    const due = this.sleepers.filter((sleeper) => sleeper.at <= this.time);
    this.sleepers = this.sleepers.filter((sleeper) => sleeper.at > this.time);
    for (const sleeper of due) sleeper.wake();
  }

  /** Resolves when somebody sleeps. */
  someoneSleeps(): Promise<void> {
    return this.sleepers.length > 0
      ? Promise.resolve()
      : new Promise((resolve) => this.waiters.push(resolve));
  }
}

/** Sleeps take no time, but they are counted and time moves on. */
export class InstantClock implements Clock {
  time = 0;
  readonly slept: number[] = [];
  now = (): number => this.time;
  monotonic = (): number => this.time;
  sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.time += ms;
  };
}

/** A turn under a clock that stands still: no deadline can pass. `told` is what a person reads. */
export async function turn(
  provider: Provider,
  changes: Partial<ModelRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<TurnResult & { events: ModelEvent[]; told: string }> {
  const events: ModelEvent[] = [];
  const result = await takeTurn(provider, requestOf(changes), {
    signal,
    clock: new ManualClock(),
    onEvent: (event) => events.push(event),
  });
  return { ...result, events, told: withHint({ ...result, hint: nextStepText(result, 'agent') }) };
}
