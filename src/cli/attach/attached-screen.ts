/** How work of another process (a run or a conversation) is shown here. */
import type { FollowedWork, PastEvent } from '../../host/live/live-port.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';

export interface AttachedScreenPort {
  send(text: string): void;
  /** Ctrl+X: the owner pauses, as Ctrl+C in its terminal would do. */
  pause(): void;
  /** Ctrl+C: stops watching. */
  leave(): void;
  /** When the work began, in milliseconds on the monotonic clock. */
  readonly begunAt: number;
}

export interface AttachedScreen {
  /** Shows in short what the journal holds. */
  past(records: Iterable<PastEvent>, about: FollowedWork): void;
  missed(records: Iterable<PastEvent>): void;
  receive(event: StreamEvent): void;
  /** @param tone `warning` if left out */
  note(text: string, tone?: 'dim'): void;
  hold(): () => void;
  stop(): void;
}
