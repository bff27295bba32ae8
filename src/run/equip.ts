/** What a run or a conversation works with, from its open journal on: a model, a sandbox, servers and tools. */
import type { Run } from '../round/run.ts';
import { type ChosenModel, chooseModel } from './choose-model.ts';
import { chooseSandbox, type SandboxChoice } from './choose-sandbox.ts';
import { makeRun, type ToolsOptions } from './make-run.ts';
import type { OpenedRun } from './open.ts';
import type { RunRequest } from './options.ts';
import { withOwnTools } from './servers/own-tools.ts';
import { NO_SERVERS, type Servers, startServers, windowOf } from './servers/start-servers.ts';

/** What a process holds of it, in the order in which it came. */
export interface RunResources {
  servers: Servers;
  run: Run | null;
  stopListening(): void;
  /** Once nothing is recorded any more. Never throws. */
  settle(): void;
}

export const holdingNothing = (): RunResources => ({
  ...{ servers: NO_SERVERS, run: null, stopListening: () => {}, settle: () => {} },
});

interface Equipped {
  readonly run: Run;
  readonly model: ChosenModel;
  readonly sandbox: SandboxChoice;
}

type Request = ToolsOptions & RunRequest & Pick<Parameters<typeof chooseModel>[1], 'maxAttempts'>;

/** @param early what was found before the journal was opened */
export async function equip(
  held: RunResources,
  opened: OpenedRun,
  request: Request,
  early: { readonly model?: ChosenModel | null; readonly sandbox?: SandboxChoice | null } = {},
): Promise<Equipped> {
  const { settings, permissions } = opened.context.state;
  const model = early.model ?? (await chooseModel(settings, request));
  const sandbox = early.sandbox ?? (await chooseSandbox(request, permissions?.sandbox));
  held.servers = await startServers(opened, request, windowOf(model), sandbox);
  held.servers = await withOwnTools(held.servers, opened, request);
  const run = await makeRun(opened, model, request, held.servers.tools, sandbox);
  held.run = run;
  return { run, model, sandbox };
}

/** Gives all of it up, the last that came first, whatever fails on the way. Once is enough. */
export function closing(
  held: RunResources,
  unwatch: () => void,
  opened: Pick<OpenedRun, 'close'>,
): () => Promise<void> {
  let closed: Promise<void> | null = null;
  const all = async (): Promise<void> => {
    try {
      held.stopListening();
      await held.run?.background.close();
      await held.run?.toolContext.processes.endDaemons?.();
    } finally {
      unwatch();
      await held.servers.close().finally(() => {
        held.settle();
        opened.close();
      });
    }
  };
  return () => {
    closed ??= all();
    return closed;
  };
}
