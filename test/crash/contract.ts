import type { FileSystem } from '../../src/lib/file-system.ts';
import type { SimulatedFileSystem } from '../support/simulated-file-system.ts';

export interface FaultReport {
  readonly kind: string;
  readonly cases: number;
  readonly violations: readonly string[];
}

/** A bug planted under the program: it must show up as a violation somewhere. */
export type SeededBug = (fs: SimulatedFileSystem) => FileSystem;

/** The bug and the kind of fault under which it shows. */
export interface PlantedBug {
  readonly bug: SeededBug;
  readonly shownBy: string;
  /** Most places do not show it. */
  readonly isRare?: true;
}

/** One fault from start to end: what is wrong afterwards, `null` when nothing is. */
export type Case = () => string | null;
