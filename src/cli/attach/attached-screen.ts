/** How a work of another process is shown here: a run, or a conversation. */
import type { FollowedWork, PastEvent } from '../../host/live/live-port.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';

export interface AttachedScreenPort {
  /** What a person has typed. */
  send(text: string): void;
  /** Ctrl+X: whoever works pauses, as with Ctrl+C there. */
  pause(): void;
  /** Ctrl+C: nothing is watched any more. */
  leave(): void;
  /** Milliseconds on the monotonic clock, when the work began. */
  readonly begunAt: number;
}

export interface AttachedScreen {
  /** What the journal holds; shown in short. */
  past(records: Iterable<PastEvent>, about: FollowedWork): void;
  missed(records: Iterable<PastEvent>): void;
  receive(event: StreamEvent): void;
  /** @param tone `warning` where it is left out */
  note(text: string, tone?: 'dim'): void;
  hold(): () => void;
  stop(): void;
}
