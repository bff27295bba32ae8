import { accessSync, constants, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { LockOwner } from '../../host/engine-port.ts';
import type { Unsettled } from '../../host/journals/unsettled.ts';
import { orOnRefusal, type RecoveryHint, TardigradeError } from '../../lib/errors.ts';
import { systemErrorCode } from '../../lib/system-error.ts';
import type { CommandContext } from '../command-context.ts';
import { nextStepText } from '../command-line/option-flags.ts';
import { dayAndTime } from '../local-time.ts';
import { count, plural } from '../render/text/text.ts';
import { type Finding, fail, okFinding, warn } from './finding.ts';

/** Checks the workspace and its state directory: permissions, owner, and the whole chain of the journal. */
export async function* lookAtState(context: CommandContext): AsyncGenerator<Finding> {
  const { engine, invocation, terminal } = context;
  const { workspace } = invocation;
  yield lookAtFolder('workspace', workspace);
  const folder = join(workspace, '.agent_context');
  const mode = modeOf(folder);
  if (mode === null) {
    yield okFinding('state', 'none yet in this folder');
    return;
  }
  if (mode === 'no folder') {
    yield fail('state', `${folder} is not a folder`, 'Move it away');
    return;
  }
  yield judgeMode(folder, mode, terminal.platform);
  yield lockFinding(() => engine.lockOwner(workspace), terminal.program);
  yield* lookAtChain(context);
  yield* lookAtOrigin(context);
  yield* await lookAtConversations(context);
}

/** Conversations prevent no run. */
async function lookAtConversations(context: CommandContext): Promise<readonly Finding[]> {
  const name = 'conversations';
  try {
    const { all, damaged } = (await import('../chat/commands.ts')).readableSessions(context);
    if (damaged.length > 0) return damaged.map(({ what, next }) => warn(name, what, next));
    return all.length === 0 ? [] : [okFinding(name, `${count(all.length)}, each can go on`)];
  } catch (error) {
    if (!(error instanceof TardigradeError)) throw error;
    return [warn(name, error.message, nextStepText(error, context.terminal.program))];
  }
}

/** Another finding reports an unreadable journal. */
function* lookAtOrigin({ engine, invocation, terminal }: CommandContext): Generator<Finding> {
  const { workspace } = invocation;
  try {
    if (engine.beliefIn(workspace).kind !== 'foreign') return;
  } catch {
    return;
  }
  const error = engine.foreignRun(workspace, false);
  yield warn('origin', error.message, nextStepText(error, terminal.program));
}

function lookAtFolder(name: string, folder: string): Finding {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK);
    return okFinding(name, folder);
  } catch (error) {
    return fail(
      name,
      `${folder} cannot be written to (${systemErrorCode(error)})`,
      'Change its permissions, or give another --workspace',
    );
  }
}

function modeOf(folder: string): number | 'no folder' | null {
  try {
    const stats = lstatSync(folder);
    return stats.isDirectory() ? stats.mode & 0o777 : 'no folder';
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

export function judgeMode(folder: string, mode: number, platform: NodeJS.Platform): Finding {
  if (platform !== 'win32' && (mode & 0o077) !== 0)
    return warn('state', `others can read ${folder}`, `Close it: chmod 700 ${folder}`);
  return lookAtFolder('state', folder);
}

const lockFinding = (readOwner: () => LockOwner | null, agent: string): Finding =>
  orOnRefusal(
    () => judgeOwner(readOwner()),
    (error) => fail('lock', error.message, nextStepText(error, agent)),
  );

export function judgeOwner(owner: LockOwner | null): Finding {
  if (owner === null) return okFinding('lock', 'free');
  const since = owner.startTime === '' ? '' : ` since ${dayAndTime(Date.parse(owner.startTime))}`;
  const who = `process ${owner.pid} on ${owner.host}${since}`;
  if (!owner.isAlive) return okFinding('lock', `left behind by ${who}; the next run takes it over`);
  return fail('lock', `held by ${who}`, 'Wait for it, or stop that process');
}

const chainText = (unreadable = 0): string =>
  unreadable === 0
    ? 'all checksums match'
    : `${count(unreadable)} of them unreadable since a repair, which nothing needs`;

const REPAIR: RecoveryHint = { hint: 'Repair it', command: ['repair'] };

function* lookAtChain({ engine, invocation, terminal }: CommandContext): Generator<Finding> {
  try {
    const report = engine.verifyChain(invocation.workspace);
    switch (report.kind) {
      case 'none':
        yield okFinding('journal', 'none yet');
        return;
      case 'ok':
        yield okFinding(
          'journal',
          `${plural(report.records, 'record')}, ${count(report.bytes)} bytes, ${chainText(report.unreadable)}`,
        );
        if (engine.lockOwner(invocation.workspace)?.isAlive !== true)
          yield* (report.unsettled ?? []).map(judgeUnsettled);
        return;
      case 'missing':
        yield fail('journal', report.why, nextStepText(report.next, terminal.program));
        return;
      case 'damaged': {
        const where = `damaged at byte ${report.offset}: ${report.why}`;
        yield fail('journal', where, nextStepText(report.next ?? REPAIR, terminal.program));
        return;
      }
      default:
        report satisfies never;
    }
  } catch (error) {
    if (!(error instanceof TardigradeError)) throw error;
    yield fail('journal', error.message, nextStepText(error, terminal.program));
  }
}

/** What the next start says about an unsettled command; the command is not run again. */
export function judgeUnsettled({ tool, pid, isUnreadable }: Unsettled): Finding {
  const program = pid === null ? '' : `, as process ${pid}`;
  const lost = isUnreadable ? '; with what it was called can no longer be read' : '';
  return warn(
    'unsettled',
    `${tool} was cut off${program}${lost}`,
    'The next start ends what is left of it and tells the model the outcome',
  );
}
