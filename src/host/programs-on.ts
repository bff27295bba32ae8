/** Programs that the engine starts by itself, in the sandbox that the commands of a run had. */
import { isSecretFile } from '../languages/files/secret-files.ts';
import type { SystemProcesses } from '../processes/system-processes.ts';
import type { Machine } from '../run/machine.ts';
import { chooseSandbox } from '../run/tools/choose-sandbox.ts';
import { processesBehind } from '../run/tools/confinement.ts';
import type { SandboxMode } from '../schema/config.ts';

/** Nothing of the workspace is run. Throws E_USAGE for a `require` that cannot be met here. */
export async function programsOn(
  machine: Machine,
  workspace: string,
  request: SandboxMode = 'off',
): Promise<SystemProcesses> {
  if (request === 'off') return machine.processes(workspace, []);
  const { signal } = new AbortController();
  const sandbox = await chooseSandbox({
    machine,
    workspace,
    sandbox: request,
    sandboxAtLeast: request,
    signal,
  });
  const policy = () => ({ hides: isSecretFile });
  return processesBehind(sandbox, { machine, workspace, folders: null, policy }).processes;
}
