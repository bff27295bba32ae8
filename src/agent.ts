/** The life of a run: opened, given a model, settled where a crash cut it off, worked to its end. */
import { given } from './lib/given.ts';
import { refuseWithoutPrice } from './llm/models/turn-cost.ts';
import { sweepQuietly } from './round/in-copy.ts';
import { begun } from './run/begun.ts';
import { chooseModel } from './run/choose-model.ts';
import { configure } from './run/configure.ts';
import { listenTo } from './run/inbox.ts';
import { instructionsFor } from './run/instruction-files.ts';
import { makeRun } from './run/make-run.ts';
import { beginsAnew, openRun } from './run/open.ts';
import { type RunGoalOptions, readOptions } from './run/options.ts';
import { permit, tellPermissions } from './run/permissions.ts';
import { type RunResult, resultOf } from './run/result.ts';
import { resume } from './run/resume.ts';
import { withOwnTools } from './run/servers/own-tools.ts';
import { NO_SERVERS, startServers, windowOf } from './run/servers/start-servers.ts';
import { pausedBy, takeStep } from './run/take-step.ts';
import { lookForWall } from './run/wall.ts';
import { watchState } from './run/watch-state.ts';

export type { RunGoalOptions } from './run/options.ts';
export type { RunResult } from './run/result.ts';

/**
 * Runs a goal to its end, a pause, or an error: `runGoal({ goal, workspace, provider, model })`.
 * Throws `TardigradeError` (E_USAGE, E_WORKSPACE, E_LOCKED, E_JOURNAL_CORRUPT, E_JOURNAL_MISSING,
 * E_STATE_GONE, E_TOO_NEW, E_FOREIGN, E_DISK_FULL, E_IO, E_FENCED, E_INTERRUPTED when it is aborted before the run is open)
 * and `ProviderError` when the model cannot even be described; nothing that was recorded is lost.
 */
export async function runGoal(options: RunGoalOptions): Promise<RunResult> {
  const request = readOptions(options);
  const { candidates, limits, signal } = request;
  if (limits.maxCost !== undefined) await refuseWithoutPrice(candidates, signal);
  // A model that cannot even be described leaves no run, and sets none aside.
  const first = beginsAnew(request) ? await chooseModel(null, request) : null;
  // A sandbox that is missing leaves none either.
  const early = first === null ? null : await lookForWall(request);
  const opened = await openRun(request);
  const watch = watchState(opened, { clock: request.machine.clock, signal });
  const watched = { ...request, signal: watch.signal };
  let servers = NO_SERVERS;
  try {
    const { ended, permissions } = opened.context.state;
    if (ended)
      return resultOf(opened.context, { ending: 'already_finished', detail: ended.ending });
    const isFresh = first !== null && !opened.isResumed;
    const model = isFresh ? first : await chooseModel(opened.context.state.settings, watched);
    const wall = early ?? (await lookForWall(watched, permissions?.sandbox));
    servers = await startServers(opened, watched, windowOf(model), wall);
    servers = await withOwnTools(servers, opened, watched);
    const run = await makeRun(opened, model, watched, servers.tools, wall);
    try {
      await resume(run, { ...given({ wants: request.wants }), isResumed: opened.isResumed });
      permit(run, opened, request, wall);
      await sweepQuietly(run);
      configure(run, model, request, instructionsFor(run, request));
      tellPermissions(run, request, wall);
      run.emit(begun(opened));
      const deafen = listenTo(request.inbox, run);
      try {
        for (;;) {
          const result = await takeStep(run);
          if (result) return result;
        }
      } finally {
        deafen();
        await run.background.close();
      }
    } catch (error) {
      return pausedBy(watch.reasonFor(error), run);
    }
  } catch (error) {
    throw watch.reasonFor(error);
  } finally {
    watch.stop();
    await servers.close();
    opened.close();
  }
}
