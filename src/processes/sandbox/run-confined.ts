/** Every program in the sandbox, but those that are let out one by one. */
import type { BackgroundExit, StartBackground } from '../background.ts';
import type { Processes, ProcessRequest } from '../contract.ts';
import type { OpenHooks, OpenProcess, OpenRequest } from '../open-process.ts';
import type { Sandbox, SandboxBoundaries } from './contract.ts';

export interface Confinement {
  readonly sandbox: Sandbox;
  /** As the folder is now. @param cwd absolute, where a program would start */
  around(cwd: string): Around;
}

export interface Around {
  readonly boundaries: SandboxBoundaries;
  /**
   * Puts aside what a program has made since that only a person may allow, where the sandbox cannot hold
   * that by itself; the names of it, from the folder on.
   */
  putAside(): readonly string[];
}

export const runConfined =
  ({ sandbox, around }: Confinement, run: Processes['run']): Processes['run'] =>
  async ({ isUnsandboxed, ...request }, hooks) => {
    if (isUnsandboxed) return run(request, hooks);
    const { boundaries, putAside } = around(request.cwd);
    const inside: ProcessRequest = {
      ...request,
      ...sandbox.commandFor(request, boundaries),
      program: request.file,
    };
    const outcome = await run(inside, hooks);
    return { ...outcome, sandbox: { putAside: putAside() } };
  };

/** The same for one that goes on: what it made is put aside when it has ended. */
export const startConfined =
  ({ sandbox, around }: Confinement, start: StartBackground): StartBackground =>
  async ({ isUnsandboxed, ...request }, hooks) => {
    if (isUnsandboxed) return start(request, hooks);
    const { boundaries, putAside } = around(request.cwd);
    const inside = {
      ...request,
      ...sandbox.commandFor(request, boundaries),
      program: request.file,
    };
    const one = await start(inside, hooks);
    if (typeof one === 'string') return one;
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

/** The same for one that is talked to. The sandbox stands as the folder was when it began. */
export const openConfined =
  (
    { sandbox, around }: Confinement,
    open: (request: OpenRequest, hooks: OpenHooks) => Promise<OpenProcess>,
  ): typeof open =>
  (request, hooks) => {
    const { boundaries, putAside } = around(request.cwd);
    const inside = {
      ...request,
      ...sandbox.commandFor(request, boundaries),
      program: request.file,
    };
    return open(inside, {
      ...hooks,
      onEnd: (detail) => {
        putAside();
        hooks.onEnd(detail);
      },
    });
  };
