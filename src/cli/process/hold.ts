import type { Stamped } from '../../schema/records.ts';
import type { Terminal } from './terminal.ts';

/** The longest halt: a test has a minute to kill the process. */
const HOLD_MS = 60_000;

/**
 * A failpoint for the demo and for crash tests: `TARDIGRADE_HOLD_AFTER=turn_finished:2` stops the process at the second
 * such record that it writes, as soon as the record is durable and reported.
 */
export function createHold({
  env,
  block,
}: Pick<Terminal, 'env' | 'block'>): (record: Stamped) => void {
  const [, type, number] = /^(\w+):(\d+)$/.exec(env.TARDIGRADE_HOLD_AFTER ?? '') ?? [];
  if (type === undefined) return () => {};
  let remaining = Number(number);
  return (record) => {
    if (record.type !== type) return;
    remaining -= 1;
    if (remaining === 0) block(HOLD_MS);
  };
}

/** Waits after every record, so that a run without a model can be watched (`TARDIGRADE_PACE_MS`). */
export function createPace({ env, block }: Pick<Terminal, 'env' | 'block'>): () => void {
  const ms = Number(env.TARDIGRADE_PACE_MS ?? '0');
  return ms > 0 && ms <= 5000 ? () => block(ms) : () => {};
}
