/** Provides what an open run or conversation works with: model, sandbox, servers and tools. */
import { lazily } from '../../lib/lazily.ts';
import type { RunPorts } from '../../round/run-ports.ts';
import type { OpenedRun } from '../open.ts';
import type { RunRequest } from '../options.ts';
import { withOwnTools } from '../servers/own-tools.ts';
import { initialWindow, NO_SERVERS, type Servers, startServers } from '../servers/start-servers.ts';
import { chooseSandbox, type SandboxChoice } from '../tools/choose-sandbox.ts';
import { besideIn } from '../tools/confinement.ts';
import { type StateWatch, type Watched, watchState } from '../watch-state.ts';
import { type ChosenModel, chooseFromCandidates } from './choose-model.ts';
import { makeRun, type ToolsOptions } from './make-run.ts';

/** What this process holds, in the order in which it was acquired. */
interface RunResources {
  servers: Servers;
  run: RunPorts | null;
  stopListening(): void;
  /** Called once nothing is recorded any more. Never throws. */
  settle(): void;
}

/** @param early what was found before the journal was opened */
export async function equip(
  held: RunResources,
  opened: OpenedRun,
  request: ToolsOptions &
    RunRequest &
    Pick<Parameters<typeof chooseFromCandidates>[1], 'maxAttempts'>,
  early: { readonly model?: ChosenModel | null; readonly sandbox?: SandboxChoice | null } = {},
) {
  const { settings, permissions, models } = opened.context.state;
  const roles = models ?? null;
  const model = early.model ?? (await chooseFromCandidates(settings, { ...request, roles }));
  const sandbox = early.sandbox ?? (await chooseSandbox(request, permissions?.sandbox));
  const beside = besideIn(opened.context);
  held.servers = await startServers(opened, request, initialWindow(model), sandbox, beside);
  held.servers = await withOwnTools(held.servers, opened, request);
  const run = makeRun(opened, model, request, held.servers.tools, { sandbox, beside });
  held.run = run;
  return { run, model, sandbox };
}

/** An open run or conversation in this process. */
interface Holding {
  readonly held: RunResources;
  readonly watch: StateWatch;
  /** Releases everything in reverse order, whatever fails on the way. Further calls do nothing. */
  close(): Promise<void>;
}

/** Keeps the resources open for as long as `work` decides. If `work` throws, all are released. */
export async function holding<Result>(
  opened: Watched & Pick<OpenedRun, 'close'>,
  { machine: { clock }, signal }: Pick<RunRequest, 'machine' | 'signal'>,
  work: (holding: Holding) => Promise<Result>,
): Promise<Result> {
  const watch = watchState(opened, { clock, signal });
  const held: RunResources = {
    servers: NO_SERVERS,
    run: null,
    stopListening: () => {},
    settle: () => {},
  };
  const close = lazily(() => giveUp(held, watch, opened));
  try {
    return await work({ held, watch, close });
  } catch (error) {
    await close();
    throw watch.reasonFor(error);
  }
}

async function giveUp(
  held: RunResources,
  watch: StateWatch,
  opened: Pick<OpenedRun, 'close'>,
): Promise<void> {
  try {
    held.stopListening();
    await held.run?.background
      .close()
      .finally(() => held.run?.toolContext.processes.endDaemons?.());
  } finally {
    watch.stop();
    await held.servers.close().finally(() => {
      held.settle();
      opened.close();
    });
  }
}
