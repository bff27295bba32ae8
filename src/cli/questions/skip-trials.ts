import type { RunEvent } from '../../schema/events/events.ts';
import type { Renderer } from '../render/contract.ts';

export type Trials = ReturnType<typeof trialsAt>;

/** During the trials at the end the first Ctrl+C skips the remaining trials; a second one acts as usual. */
export function trialsAt(screen: Pick<Renderer, 'observe'>) {
  const skip = new AbortController();
  let isTrying = false;
  return {
    skip: skip.signal,
    observe: (event: RunEvent): void => {
      if (event.type === 'trial_started') isTrying = true;
      if (event.type === 'record' && event.record.type === 'verdict_given') isTrying = false;
    },
    skips: (): boolean => {
      if (!isTrying || skip.signal.aborted) return false;
      const text = 'Skipping the remaining trials. Press Ctrl+C again to pause the run.';
      screen.observe({ type: 'notice', level: 'warning', text });
      skip.abort();
      return true;
    },
  };
}
