import { doneOf } from '../../../prompts/subtask.ts';
import { dollars } from '../../../shown/costs.ts';
import { activityText, speed } from '../../screen/activity.ts';

import type { RunView } from '../../screen/view.ts';

/**
 * Pure: where the run stands, in a few short parts that the caller arranges in a row. The short form leaves out the
 * speed, which the stream above shows by itself.
 */
export function statusWords(
  view: RunView,
  now: number,
  length: 'whole' | 'short' = 'whole',
): readonly string[] {
  const { plan, contextShare, cost } = view;
  const perSecond = length === 'short' ? null : speed(view.activity, now);
  return [
    ...(plan === null ? [] : [doneOf(plan)].filter(Boolean)),
    clock(now - view.startedAt),
    ...(perSecond === null ? [] : [`${perSecond.toFixed(perSecond < 10 ? 1 : 0)} tok/s`]),
    ...(contextShare === null ? [] : [`context ${percent(contextShare)}`]),
    ...(cost === null ? [] : [`${cost.isLeast ? 'from ' : ''}${dollars(cost.usd)}`]),
  ];
}

/** `0:21`, `12:05`, `1:02:05`. */
function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

const percent = (share: number): string =>
  share > 0 && share < 0.01 ? '<1 %' : `${Math.min(100, Math.round(share * 100))} %`;

/** The same for a line in a log. */
export const heartbeat = (view: RunView, now: number): string =>
  [activityText(view.activity, now), ...statusWords(view, now)].join(', ');
