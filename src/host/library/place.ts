/** The folder of a library call, and what the host provides. Nothing is read from the environment. */

import type { Accept } from '../../context-manager/origin.ts';
import { type Machine, thisMachine } from '../../run/machine.ts';
import type { ProviderSettings } from '../config/accounts.ts';
import { acceptIn } from '../journals/origin.ts';
import type { KeyReading } from '../journals/origin-key.ts';
import type { JournalPort } from './memory-journal.ts';

/** The run that a call is about. */
export interface Where {
  /** An existing folder. */
  readonly workspace: string;
  /** The id of a run; left out: the folder's current one. */
  readonly run?: string;
  /** Disk, time and processes; left out: this process's own. */
  readonly machine?: Machine;
  /** Where its journals are kept; left out: in `.agent_context` of the workspace. */
  readonly journal?: JournalPort;
  /** As for `runGoal`; left out: whatever lies in the folder is trusted. */
  readonly originKey?: Uint8Array | null;
}

/** Keys and addresses of providers, by name. */
export type ProviderAccounts = { readonly [name: string]: ProviderSettings | undefined };

export function machineOf({
  machine = thisMachine(),
  journal,
  workspace,
}: Pick<Where, 'machine'> & {
  readonly journal?: JournalPort | undefined;
  readonly workspace?: string;
}): Machine {
  if (journal === undefined || workspace === undefined) return machine;
  return { ...machine, fs: journal.over(machine.fs, workspace) };
}

/** `null`: nothing is checked. */
export function originKeyIn({ originKey }: Pick<Where, 'originKey'>): KeyReading | null {
  if (originKey === undefined) return null;
  return originKey === null ? { kind: 'absent' } : { kind: 'ok', key: originKey };
}

/** Accepts only a run that this user began. */
export function acceptFor(where: Where, { fs }: Machine): Accept {
  const reading = originKeyIn(where);
  const { workspace } = where;
  return reading === null ? () => {} : acceptIn({ workspace, number: null }, reading, fs.platform);
}
