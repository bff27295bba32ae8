/**
 * Decides whether the commands of a run are confined. The sandbox is looked for once per start, and the choice
 * is recorded. A run that requires a sandbox neither begins nor resumes without one.
 */
import { misuse } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import type { SandboxFound } from '../../processes/sandbox/contract.ts';
import { SANDBOX_MODES, type SandboxMode } from '../../schema/config.ts';
import type { RunEvent } from '../../schema/events/events.ts';
import type { PermissionState } from '../../schema/journal/permissions.ts';
import type { RecordOf } from '../../schema/records.ts';
import { evaluatorOf } from '../machine.ts';
import type { RunRequest } from '../options.ts';
import { isThere, searchPathOf, toolRoots } from './tool-roots.ts';

export interface SandboxChoice {
  readonly mode: SandboxMode;
  /** `null`: no sandbox was wanted, so none was looked for. */
  readonly found: SandboxFound | null;
}

type Request = Pick<RunRequest, 'machine' | 'workspace' | 'sandbox' | 'sandboxAtLeast' | 'signal'>;

/** @param before the mode that the run began with. Throws E_USAGE when a sandbox is required and none works. */
export async function chooseSandbox(
  request: Request,
  before?: SandboxMode,
): Promise<SandboxChoice> {
  const mode = request.sandbox ?? stricter(before, request.sandboxAtLeast);
  if (mode === 'off') return { mode, found: null };
  const found = await lookHere(request);
  if (mode === 'require' && found.kind === 'none')
    throw misuse(
      `Commands cannot be confined: ${found.why}.`,
      `${found.next} Or let this start go without`,
      { option: 'sandbox', optionValue: 'off' },
    );
  return { mode, found };
}

export const stricter = (one: SandboxMode = 'off', other: SandboxMode = 'off'): SandboxMode =>
  SANDBOX_MODES.indexOf(one) < SANDBOX_MODES.indexOf(other) ? other : one;

async function lookHere({ machine, signal, ...request }: Request): Promise<SandboxFound> {
  const { fs } = machine;
  const { file: nodePath, word: evaluate } = evaluatorOf(machine);
  const workspace = fs.realpath(request.workspace);
  const processes = machine.processes(workspace, []);
  const env = processes.outside.environment();
  const place = { fs, workspace, home: machine.home ?? null, env, nodePath };
  const { join } = pathsOf(fs.platform);
  const exists = (path: string): boolean => isThere(path, fs);
  // Program folders of the workspace are not searched: their content is not trusted.
  const locate = (program: string): string | null =>
    searchPathOf(place)
      .map((folder) => join(folder, program))
      .find(exists) ?? null;
  const { findSandbox } = await import('../../processes/sandbox/find-sandbox.ts');
  return findSandbox(
    { home: place.home, readable: toolRoots(place) },
    {
      platform: fs.platform,
      locate,
      exists,
      nodePath,
      evaluate,
      signal,
      run: processes.run,
      env,
    },
  );
}

interface Remembering {
  readonly state: { readonly permissions?: PermissionState | undefined };
  record(record: RecordOf<'sandbox_looked'>): unknown;
}

/** Records nothing when no sandbox was ever wanted. */
export function recordSandbox(
  context: Remembering,
  { mode, found }: SandboxChoice,
  emit: (notice: Extract<RunEvent, { type: 'notice' }>) => void,
): void {
  if (mode === 'off' && (context.state.permissions?.sandbox ?? 'off') === 'off') return;
  const holds = found?.kind === 'holds';
  const what = holds ? found.sandbox.name : (found?.why ?? 'not wanted any more');
  context.record({ type: 'sandbox_looked', mode, holds, what });
  if (found?.kind !== 'none') return;
  const text = `Commands are not confined: ${what}. ${found.next}`;
  emit({ type: 'notice', level: 'warning', text });
}
