/** `state.json` as a run shows it a moment after a command has begun: with the call that is open. */
import { runPorts } from '../../src/context-manager/open-or-create.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import { readState } from '../../src/journal/read-journal.ts';
import { writeSnapshot } from '../../src/journal/snapshot.ts';
import type { Machine } from '../../src/run/machine.ts';

export function showState({ fs, clock }: Pick<Machine, 'fs' | 'clock'>, folder: string): void {
  const layout = layoutOf(folder);
  const ports = runPorts({ fs, clock, layout });
  const read = readState(ports);
  if (read === null) throw new Error('There is no journal.');
  const { position, state } = read;
  writeSnapshot(fs, layout, { ...position, schema: ports.fold.schema, synced: false, state });
}
