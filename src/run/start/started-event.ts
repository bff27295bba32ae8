import type { RunEvent } from '../../schema/events/events.ts';
import type { OpenedRun } from '../open.ts';

/** The event for observers once a run has a model and settings. */
export function startedEvent({
  context,
  isResumed,
}: OpenedRun): Extract<RunEvent, { type: 'begun' }> {
  const first = context.readAny(0);
  const number = first.type === 'run_opened' ? (first.number ?? null) : null;
  return { type: 'begun', state: context.state, number, isResumed };
}
