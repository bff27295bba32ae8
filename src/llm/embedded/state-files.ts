/** Functions for all kept states of the engine. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A state in a file that is about to be loaded. */
export interface KeptModelState {
  /** How many tokens at the beginning of the prompt it has. */
  readonly shared: number;
  /** Returns the path of a file that exists until `done` is called. */
  file(): string;
  done(isLoaded: boolean): void;
}

/** The fewest tokens worth keeping: reading fewer takes about as long as keeping or loading a state. */
export const WORTH = 128;

export interface Bounds {
  readonly states: number;
  readonly megabytes: number;
}

/**
 * The newest states that fit.
 * @param all newest first
 */
export function withinBounds<One>(
  all: readonly One[],
  { states, megabytes }: Bounds,
  bytesOf: (one: One) => number,
): One[] {
  let bytes = 0;
  return all.slice(0, states).filter((one) => {
    bytes += bytesOf(one);
    return bytes <= megabytes * 1024 * 1024;
  });
}

/** The place of kept states, for one process. */
export interface StatesPlace {
  /** Belongs to one model file and one version of the engine; it is created when something is kept. */
  readonly folder: string;
  readonly pid: number;
  now(): number;
}

/** Creates the folder, readable only by this user, because it holds parts of prompts. */
export const createFolder = ({ folder }: StatesPlace): void =>
  void mkdirSync(folder, { recursive: true, mode: 0o700 });

/** A file that this process writes or loads. A crash leaves it behind, and nobody loads it again. */
export const passingFile = ({ folder, pid }: StatesPlace): string =>
  join(folder, `${pid}${PASSING}`);

export const isPassing = (name: string): boolean => name.endsWith(PASSING);

const PASSING = '.passing';
