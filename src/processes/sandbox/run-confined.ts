/** Runs every program in the sandbox, except those that are individually let out. */
import { thrownText } from '../../lib/callback.ts';
import type { BackgroundExit, StartBackground } from '../background.ts';
import type { Processes, ProcessRequest } from '../contract.ts';
import {
  NO_PROCESS,
  type OpenHooks,
  type OpenProcess,
  type OpenProcessRequest,
} from '../open-process.ts';
import { NOTHING_RAN } from '../run.ts';
import type { Sandbox, SandboxBoundaries } from './contract.ts';

export interface Confinement {
  readonly sandbox: Sandbox;
  /**
   * The boundaries for the folder's current content, or why nothing can be confined there.
   * @param cwd absolute, where a program would start
   */
  around(cwd: string): Around | string;
  /** Called before a program runs unconfined beside confined ones, and its result after it: what it makes stays. */
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

export const runConfined =
  ({ sandbox, around, beside }: Confinement, run: Processes['run']): Processes['run'] =>
  async ({ isUnsandboxed, ...request }, hooks) => {
    if (isUnsandboxed) {
      const isOver = beside?.();
      return run(request, hooks).finally(() => isOver?.());
    }
    const place = around(request.cwd);
    if (typeof place === 'string') return { ...NOTHING_RAN, durationMs: 0, error: place };
    const { boundaries, putAside } = place;
    const inside: ProcessRequest = {
      ...request,
      ...sandbox.commandFor(request, boundaries),
      program: request.file,
    };
    let aside: readonly string[] = [];
    const outcome = await run(inside, hooks).finally(() => {
      aside = putAside();
    });
    return { ...outcome, sandbox: { putAside: aside } };
  };

/** The same for a background program: its files are moved away when it has ended. */
export const startConfined =
  ({ sandbox, around }: Confinement, start: StartBackground): StartBackground =>
  async ({ isUnsandboxed, ...request }, hooks) => {
    if (isUnsandboxed) return start(request, hooks);
    const place = around(request.cwd);
    if (typeof place === 'string') return place;
    const { boundaries, putAside } = place;
    const inside = {
      ...request,
      ...sandbox.commandFor(request, boundaries),
      program: request.file,
    };
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
    { sandbox, around }: Confinement,
    open: (request: OpenProcessRequest, hooks: OpenHooks) => Promise<OpenProcess>,
  ): typeof open =>
  async (request, hooks) => {
    const place = around(request.cwd);
    if (typeof place === 'string') {
      hooks.onEnd(place);
      return NO_PROCESS;
    }
    const { boundaries, putAside } = place;
    const inside = {
      ...request,
      ...sandbox.commandFor(request, boundaries),
      program: request.file,
    };
    return open(inside, {
      ...hooks,
      onEnd: (detail) => {
        let fault = '';
        try {
          putAside();
        } catch (error) {
          fault = `\nWhat appeared meanwhile and only a person may allow could not be put aside: ${thrownText(error)}`;
        }
        hooks.onEnd(`${detail}${fault}`.trim());
      },
    });
  };
