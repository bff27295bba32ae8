/** Runs every program in the sandbox, except those that are individually let out. */
import { thrownText } from '../../lib/callback.ts';
import type { BackgroundExit, StartBackground } from '../background.ts';
import type { Processes } from '../contract.ts';
import {
  NO_PROCESS,
  type OpenHooks,
  type OpenProcess,
  type OpenProcessRequest,
} from '../open-process.ts';
import { NOTHING_RAN } from '../run.ts';
import type { Command, Sandbox, SandboxBoundaries } from './contract.ts';

export interface Confinement {
  readonly sandbox: Sandbox;
  /**
   * The boundaries for the folder's current content, or why nothing can be confined there.
   * @param cwd absolute, where a program would start
   */
  around(cwd: string): Around | string;
  /**
   * Called before a program runs unconfined beside confined ones; its result is called afterwards. The files
   * that this program makes stay.
   */
  beside?(): () => void;
}

export interface Around {
  readonly boundaries: SandboxBoundaries;
  /**
   * Moves away files that appeared since and that only a person may permit, if the sandbox cannot prevent them;
   * returns their names relative to the folder.
   */
  putAside(): readonly string[];
}

/**
 * The command around a program, and a function that puts away files that appeared meanwhile; or why the
 * program cannot be confined.
 */
function entering<Request extends Command>({ sandbox, around }: Confinement, request: Request) {
  const place = around(request.cwd);
  if (typeof place === 'string') return place;
  const command = sandbox.commandFor(request, place.boundaries);
  const inside = { ...request, ...command, program: request.file };
  return { inside, putAside: (): readonly string[] => place.putAside() };
}

export const runConfined =
  (confinement: Confinement, run: Processes['run']): Processes['run'] =>
  async ({ isUnsandboxed, ...request }, hooks) => {
    if (isUnsandboxed) {
      const isOver = confinement.beside?.();
      return run(request, hooks).finally(() => isOver?.());
    }
    const entered = entering(confinement, request);
    if (typeof entered === 'string') return { ...NOTHING_RAN, durationMs: 0, error: entered };
    let aside: readonly string[] = [];
    const outcome = await run(entered.inside, hooks).finally(() => {
      aside = entered.putAside();
    });
    return { ...outcome, sandbox: { putAside: aside } };
  };

/** The same for a background program: its files are moved away when it has ended. */
export const startConfined =
  (confinement: Confinement, start: StartBackground): StartBackground =>
  async ({ isUnsandboxed, ...request }, hooks) => {
    if (isUnsandboxed) return start(request, hooks);
    const entered = entering(confinement, request);
    if (typeof entered === 'string') return entered;
    const { inside, putAside } = entered;
    const one = await start(inside, hooks).catch((error: unknown) => {
      putAside();
      throw error;
    });
    if (typeof one === 'string') {
      putAside();
      return one;
    }
    let aside: readonly string[] | null = null;
    const exit = (): BackgroundExit | null => {
      const ended = one.exit();
      if (ended === null) return null;
      aside ??= putAside();
      return aside.length === 0 ? ended : { ...ended, putAside: aside };
    };
    const end = async (): Promise<void> => {
      await one.end();
      exit();
    };
    return { ...one, exit, end };
  };

/** The same for a program with a connection. Its boundaries are those from when it began. */
export const openConfined =
  (
    confinement: Confinement,
    open: (request: OpenProcessRequest, hooks: OpenHooks) => Promise<OpenProcess>,
  ): typeof open =>
  async (request, hooks) => {
    const entered = entering(confinement, request);
    if (typeof entered === 'string') {
      hooks.onEnd(entered);
      return NO_PROCESS;
    }
    return open(entered.inside, {
      ...hooks,
      onEnd: (detail) => {
        let fault = '';
        try {
          entered.putAside();
        } catch (error) {
          fault = `\nWhat appeared meanwhile and only a person may allow could not be put aside: ${thrownText(error)}`;
        }
        hooks.onEnd(`${detail}${fault}`.trim());
      },
    });
  };
