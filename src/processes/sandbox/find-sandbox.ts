/** Finds the system's sandbox and verifies that it works. */
import { bubblewrap } from './bubblewrap.ts';
import type { Sandbox, SandboxFound } from './contract.ts';
import { type MachineBoundaries, type ProbePorts, whyOpen } from './probe.ts';
import { SANDBOX_EXEC, seatbelt } from './seatbelt.ts';

export interface FindPorts extends ProbePorts {
  readonly platform: NodeJS.Platform;
  /** Absolute path of a program outside the workspace; `null`: none. */
  locate(program: string): string | null;
  exists(path: string): boolean;
}

const INSTALL = 'Install bubblewrap: apt install bubblewrap, dnf install bubblewrap.';
const ALLOW =
  'Let users make namespaces (in a container: run it with --security-opt seccomp=unconfined), or confine the whole machine instead.';
const ELSEWHERE = 'Run it in a container, a virtual machine or WSL instead.';

export async function findSandbox(
  machine: MachineBoundaries,
  ports: FindPorts,
): Promise<SandboxFound> {
  const { platform, locate, exists } = ports;
  if (platform === 'linux') {
    const program = locate('bwrap');
    if (program === null)
      return { kind: 'none', why: 'bubblewrap is not installed', next: INSTALL };
    return proven(bubblewrap(program, exists), machine, ports, ALLOW);
  }
  if (platform === 'darwin' && exists(SANDBOX_EXEC))
    return proven(seatbelt(SANDBOX_EXEC), machine, ports, ELSEWHERE);
  return { kind: 'none', why: 'this system has no sandbox that is known here', next: ELSEWHERE };
}

async function proven(
  sandbox: Sandbox,
  machine: MachineBoundaries,
  ports: ProbePorts,
  next: string,
): Promise<SandboxFound> {
  try {
    const why = await whyOpen(sandbox, machine, ports);
    if (why === '') return { kind: 'holds', sandbox };
    return { kind: 'none', why: `${sandbox.name} does not hold here: ${why}`, next };
  } catch (error) {
    const why = `${sandbox.name} could not be tried: ${String(error)}`;
    return { kind: 'none', why, next };
  }
}
