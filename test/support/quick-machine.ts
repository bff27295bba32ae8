/**
 * A machine, quicker: a command that was run before on the same files is told again (running-once.ts), JavaScript is
 * parsed in a thread (parsed-here.ts), and no file is waited for until it is on the disk, which no test of a run can
 * tell (test/crash shows that).
 */
import type { HostEnvironment } from '../../src/host/host-environment.ts';
import { type Machine, systemMachine } from '../../src/run/machine.ts';
import { parsedHere } from './parsed-here.ts';
import { runningOnce } from './running-once.ts';

export const quickMachine = (machine: Machine): Machine => ({
  ...machine,
  fs: { ...machine.fs, fsync: () => {}, fdatasync: () => {} },
  processes: (workspace, ...place) => {
    const processes = machine.processes(workspace, ...place);
    return { ...processes, run: parsedHere(runningOnce(processes.run, workspace)) };
  },
});

/** A place of the command line, on such a machine. */
export const onQuickMachine = <Place extends HostEnvironment>(place: Place): Place => ({
  ...place,
  machine: quickMachine(systemMachine({ env: place.env, nodePath: place.nodePath })),
});
