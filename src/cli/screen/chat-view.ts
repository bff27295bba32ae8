import type { SessionEvent } from '../../schema/events/events.ts';
import { NO_PAGE, type Page } from '../render/markdown/page.ts';
import { type Activity, activityOf, talking } from './activity.ts';

/**
 * Pure: what a person in a conversation needs to know now, folded from events and the time. A run does not load it,
 * because the code that measures text takes a tenth of a start to load.
 */
export interface ChatView {
  readonly kind: 'chat';
  /** `null` while it is the person's turn. */
  readonly activity: Activity | null;
  /** The unfinished end of the answer. */
  readonly answer: Page;
  /** What Ctrl+C does. */
  readonly wayOut: string;
}

export const EMPTY_CHAT_VIEW: ChatView = {
  kind: 'chat',
  activity: null,
  answer: NO_PAGE,
  wayOut: 'Ctrl+C stops it',
};

export function reduceChatView(view: ChatView, event: SessionEvent, now: number): ChatView {
  if (event.type === 'prompt_read' && view.activity !== null)
    return { ...view, activity: { ...view.activity, read: event.percent } };
  const at = talking(event);
  return at === null || at.label === view.activity?.label
    ? view
    : { ...view, activity: activityOf(at.kind, at.label, now) };
}
