/** Every program behind the wall, but those that are let out one by one. */
import type { BackgroundExit, StartBackground } from '../background.ts';
import type { Processes, ProcessRequest } from '../contract.ts';
import type { OpenHooks, OpenProcess, OpenRequest } from '../open-process.ts';
import type { Sandbox, Walls } from './contract.ts';

export interface Wall {
  readonly sandbox: Sandbox;
  /** As the folder is now. @param cwd absolute, where a program would start */
  around(cwd: string): Around;
}

export interface Around {
  readonly walls: Walls;
  /**
   * Puts aside what a program has made since that only a person may allow, where the wall cannot hold
   * that by itself; the names of it, from the folder on.
   */
  putAside(): readonly string[];
}

export const behindWall =
  ({ sandbox, around }: Wall, run: Processes['run']): Processes['run'] =>
  async ({ isOpen, ...request }, hooks) => {
    if (isOpen) return run(request, hooks);
    const { walls, putAside } = around(request.cwd);
    const inside: ProcessRequest = {
      ...request,
      ...sandbox.commandFor(request, walls),
      program: request.file,
    };
    const outcome = await run(inside, hooks);
    return { ...outcome, wall: { putAside: putAside() } };
  };

/** The same for one that goes on: what it made is put aside when it has ended. */
export const besideWall =
  ({ sandbox, around }: Wall, start: StartBackground): StartBackground =>
  async ({ isOpen, ...request }, hooks) => {
    if (isOpen) return start(request, hooks);
    const { walls, putAside } = around(request.cwd);
    const inside = {
      ...request,
      ...sandbox.commandFor(request, walls),
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

/** The same for one that is talked to. The wall stands as the folder was when it began. */
export const talkingBehindWall =
  (
    { sandbox, around }: Wall,
    open: (request: OpenRequest, hooks: OpenHooks) => Promise<OpenProcess>,
  ): typeof open =>
  (request, hooks) => {
    const { walls, putAside } = around(request.cwd);
    const inside = {
      ...request,
      ...sandbox.commandFor(request, walls),
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
