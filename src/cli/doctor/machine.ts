import type { SandboxState } from '../../host/engine-port.ts';
import { USEFUL_PROGRAMS } from '../../languages/commands/programs.ts';
import { freeBytes } from '../../lib/files/free-bytes.ts';
import { sandboxMode } from '../../options/option-values.ts';
import { folderToAskIn } from '../../processes/programs/search-path.ts';
import type { ProcessPlace } from '../../schema/actions.ts';
import type { SandboxMode } from '../../schema/config.ts';
import type { CommandContext } from '../command-context.ts';
import { oneLine } from '../render/text/text.ts';
import { type Finding, fail, okFinding, warn } from './finding.ts';

const LOOK_TIMEOUT_MS = 10_000;
const LOW_DISK = 500 * 1024 * 1024;
const NO_DISK = 20 * 1024 * 1024;

/** Checks Node, the programs that a goal may need, and the disk. */
export async function* lookAtMachine(
  context: CommandContext,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  yield lookAtNode(process.versions.node);
  yield lookAtDisk(context.invocation.workspace);
  const { place } = await context.engine.programs(context.invocation.workspace);
  yield judgeStarts(place, context.terminal.platform);
  const found = await context.engine.sandbox(context.invocation.workspace, signal);
  yield judgeSandbox(found, sandboxMode(context.configured.begin));
  yield judgeLive(await (await context.engine.live()).whyNot());
  for (const [program, next, isMinor] of USEFUL_PROGRAMS) {
    const finding = await lookAtProgram(context, program, next, signal);
    const isMissed = finding.verdict === 'ok' || isMinor !== true;
    yield isMissed ? finding : okFinding(program, `not installed (optional). ${next}`);
  }
}

export function lookAtNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return okFinding('node', version);
  return fail('node', `${version} is too old`, 'Install Node 20.19 or newer from nodejs.org');
}

function lookAtDisk(workspace: string): Finding {
  try {
    return judgeDisk(freeBytes(workspace));
  } catch (error) {
    return warn('disk', `is unknown (${String(error)})`, 'Check it by hand');
  }
}

export function judgeDisk(freeBytes: number): Finding {
  const [gigabyte, megabyte] = [1024 ** 3, 1024 ** 2];
  const detail =
    freeBytes < 10 * gigabyte
      ? `${Math.floor(freeBytes / megabyte)} MB free`
      : `${Math.floor(freeBytes / gigabyte)} GB free`;
  if (freeBytes < NO_DISK) return fail('disk', detail, 'Free some space, or use another folder');
  if (freeBytes < LOW_DISK) return warn('disk', detail, 'Free some space before long runs');
  return okFinding('disk', detail);
}

/** What happens to a command that is started at the instant of a crash. */
export function judgeStarts(
  { isGated }: Pick<ProcessPlace, 'isGated'>,
  platform: NodeJS.Platform,
): Finding {
  if (platform === 'win32')
    return okFinding('commands', 'end with the run that started them; what they started may go on');
  if (isGated) return okFinding('commands', 'begin only once their start is recorded');
  return warn(
    'commands',
    'no /bin/sh: one that is started in the instant of a crash may run on unseen',
    'Install a shell as /bin/sh',
  );
}

/** A missing sandbox is a fault only if the user wants one. */
export function judgeSandbox({ holds, what, next }: SandboxState, request: SandboxMode): Finding {
  if (holds)
    return okFinding(
      'sandbox',
      request === 'off' ? `${what} holds here; off until --sandbox auto` : what,
    );
  if (request === 'require') return fail('sandbox', `required, and ${what}`, next);
  return request === 'auto' ? warn('sandbox', what, next) : okFinding('sandbox', `off; ${what}`);
}

/** A run works without it. */
export const judgeLive = (why: string): Finding =>
  why === ''
    ? okFinding('attach', 'runs here can be followed from another terminal')
    : warn(
        'attach',
        why,
        'Runs still work, but "attach" and answers from other terminals cannot reach them',
      );

async function lookAtProgram(
  { engine, invocation, terminal }: CommandContext,
  program: string,
  next: string,
  signal: AbortSignal,
): Promise<Finding> {
  const { outside, run } = await engine.programs(invocation.workspace);
  const found = await outside.find(program);
  if (found.kind !== 'found') return warn(program, found.reason, next);
  const outcome = await run(
    {
      file: found.file,
      args: [...found.prefix, '--version'],
      cwd: folderToAskIn(found.file, terminal.platform),
      env: outside.environment(),
      timeoutMs: LOOK_TIMEOUT_MS,
      maxOutputBytes: 4096,
    },
    { signal, onOutput: () => {} },
  );
  const said = oneLine(outcome.output.split('\n')[0] ?? '');
  return outcome.kind === 'exited' && outcome.exitCode === 0
    ? okFinding(program, `${said} (${found.file})`)
    : warn(program, `not usable: ${said || found.file}`, next);
}
