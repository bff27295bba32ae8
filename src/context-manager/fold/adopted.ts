import { given } from '../../lib/given.ts';
import type { Adopted } from '../../schema/origin.ts';
import type { LocatedRecord } from '../../schema/stamp.ts';
import type { RunState } from '../../schema/state.ts';

/** The conversation, the plan and what was done stay; where to ask and with which tools is open again. */
export function foldAdopted(
  state: RunState,
  { base, mac, offset }: LocatedRecord<Adopted>,
): RunState {
  const adopted = { base, offset, ...given({ mac }) };
  if (state.settings === null) return { ...state, adopted };
  const { baseUrl: _address, mac: _mac, price: _price, ...settings } = state.settings;
  return { ...state, adopted, settings: { ...settings, tools: null } };
}
