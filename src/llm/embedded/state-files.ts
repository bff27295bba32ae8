/** What is common to states of the engine that are kept. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A state in a file that is about to be loaded. */
export interface KeptModelState {
  /** How many first tokens of the prompt it has. */
  readonly shared: number;
  /** Returns the path of a file that is there until `done` is called. */
  file(): string;
  done(isLoaded: boolean): void;
}

/** Tokens. To read fewer takes about as long as to keep or load a state. */
export const WORTH = 128;

export interface Bounds {
  readonly states: number;
  readonly megabytes: number;
}

/** The newest that fit. @param all newest first */
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

/** Where states are kept, for one process. */
export interface StatesPlace {
  /** Belongs to one model file and one version of the engine; it is created when something is kept. */
  readonly folder: string;
  readonly pid: number;
  now(): number;
}

/** Prompts are nobody else's business. */
export const createFolder = ({ folder }: StatesPlace): void =>
  void mkdirSync(folder, { recursive: true, mode: 0o700 });

/** A file that this process writes or loads. A crash leaves it behind, and nobody loads it again. */
export const passingFile = ({ folder, pid }: StatesPlace): string =>
  join(folder, `${pid}${PASSING}`);

export const isPassing = (name: string): boolean => name.endsWith(PASSING);

const PASSING = '.passing';
