/** Starts a command in the background, looks at it once it is up, and gives it an id. */
import type { ToolResult } from '../../schema/actions.ts';
import type { PerformHooks, ToolContext } from '../contract.ts';
import { failed } from '../result.ts';
import { truncateMiddle } from '../truncate.ts';
import { type BackgroundPrograms, backgroundLine } from './background.ts';
import { type ReadyCommand, type RunCmdOptions, startRequestOf } from './read-command.ts';

/** Milliseconds a program has to show that it is listening, or to fail. */
const STAND_MS = 3000;

/** @param cmd as it was written */
export async function startBackground(
  cmd: string,
  ready: ReadyCommand,
  background: BackgroundPrograms,
  at: {
    readonly context: ToolContext;
    readonly options: RunCmdOptions;
    readonly hooks: PerformHooks;
  },
): Promise<ToolResult> {
  const { context, options, hooks } = at;
  const started = await background.start(startRequestOf(ready, context, options, hooks), {
    cmd,
    onSpawn: (pid, startTime) => hooks.onSpawn(pid, startTime),
  });
  if ('error' in started) return notStarted(started.error);
  const { id } = started;
  await background.wait(id, { ms: STAND_MS, until: 'stands', signal: hooks.signal });
  const seen = background.see(id);
  if (seen?.exit?.error !== undefined) return notStarted(seen.exit.error);
  const isWell = seen?.exit == null || seen.exit.exitCode === 0;
  const next = `read_output {"id":"${id}"} shows what it prints, stop_process {"id":"${id}"} ends it; it is ended before the proof.`;
  const printed = seen?.text.trim() === '' ? '(it has printed nothing yet)' : seen?.text.trimEnd();
  const room = Math.max(200, context.maxResultChars - next.length - 200);
  const lines = [
    ready.notice,
    seen === null ? `${id} was started` : backgroundLine(seen),
    truncateMiddle(printed ?? '', room),
    seen?.exit == null ? next : '',
  ];
  return {
    status: isWell ? 'ok' : 'error',
    content: lines.filter((line) => line !== '').join('\n'),
    facts: { exitCode: seen?.exit?.exitCode ?? null },
  };
}

const notStarted = (error: string): ToolResult => ({
  ...failed(`could not be started: ${error}`),
  facts: { exitCode: null, notStarted: true },
});
