import { defined } from '../../lib/defined.ts';
import type { Adopted } from '../../schema/journal/origin.ts';
import type { LocatedRecord } from '../../schema/journal/stamp.ts';
import type { RunState } from '../../schema/state.ts';
import { withoutPermissions } from './calls/permissions.ts';

/** Keeps the conversation, the plan and what was done; address and tools must be chosen again. */
export function foldAdopted(
  state: RunState,
  { base, mac, offset }: LocatedRecord<Adopted>,
): RunState {
  const adopted = { base, offset, ...defined({ mac }) };
  const own = withoutPermissions(state);
  if (state.settings === null) return { ...own, adopted };
  const { baseUrl: _address, mac: _mac, price: _price, ...settings } = state.settings;
  return { ...own, adopted, settings: { ...settings, tools: null } };
}
