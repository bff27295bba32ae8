import { statfsSync } from 'node:fs';
import type { CommandContext } from '../dispatch.ts';
import { oneLine } from '../render/text.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const LOOK_TIMEOUT_MS = 10_000;
const LOW_DISK = 500 * 1024 * 1024;
const NO_DISK = 20 * 1024 * 1024;

/** Node, the programs a goal may want, and the disk. */
export async function* lookAtMachine(
  context: CommandContext,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  yield lookAtNode(process.versions.node);
  yield lookAtDisk(context.invocation.workspace);
  yield await lookAtPython(context, signal);
  for (const program of ['pytest', 'ruff']) {
    yield await lookAtOptional(context, program, signal);
  }
}

export function lookAtNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return ok('node', version);
  return fail('node', `${version} is too old`, 'Install Node 20.19 or newer from nodejs.org');
}

function lookAtDisk(workspace: string): Finding {
  try {
    const { bavail, bsize } = statfsSync(workspace);
    return judgeDisk(bavail * bsize);
  } catch (error) {
    return warn('disk', `cannot be asked (${String(error)})`, 'Check it by hand');
  }
}

export function judgeDisk(freeBytes: number): Finding {
  const detail = `${Math.floor(freeBytes / (1024 * 1024))} MB free`;
  if (freeBytes < NO_DISK) return fail('disk', detail, 'Free some space, or use another folder');
  if (freeBytes < LOW_DISK) return warn('disk', detail, 'Free some space before long runs');
  return ok('disk', detail);
}

async function lookAtPython(context: CommandContext, signal: AbortSignal): Promise<Finding> {
  const { platform } = context.terminal;
  const names = platform === 'win32' ? ['python', 'py', 'python3'] : ['python3', 'python'];
  for (const name of names) {
    const version = await versionOf(context, name, signal);
    // The stub of the Windows Store exists, but answers nothing.
    if (version !== null) return ok('python', `${version} (${name})`);
  }
  return warn('python', 'not found', 'Only goals that run Python need it: python.org/downloads');
}

async function lookAtOptional(
  context: CommandContext,
  program: string,
  signal: AbortSignal,
): Promise<Finding> {
  const version = await versionOf(context, program, signal);
  if (version !== null) return ok(program, version);
  return warn(program, 'not found', `Only goals that use it need it: pip install ${program}`);
}

async function versionOf(
  { engine, invocation, terminal }: CommandContext,
  program: string,
  signal: AbortSignal,
): Promise<string | null> {
  const file = engine.processes.resolve(program);
  if (file === null) return null;
  const env = Object.fromEntries(
    Object.entries(terminal.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const outcome = await engine.processes.run(
    {
      file,
      args: ['--version'],
      cwd: invocation.workspace,
      env,
      timeoutMs: LOOK_TIMEOUT_MS,
      maxOutputBytes: 4096,
    },
    { signal, onSpawn: () => {}, onOutput: () => {} },
  );
  if (outcome.kind !== 'exited' || outcome.exitCode !== 0) return null;
  return oneLine(outcome.output.split('\n')[0] ?? '');
}
