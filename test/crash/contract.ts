import type { FileSystem } from '../../src/lib/files/file-system.ts';
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
  /** The case that is played first, of all in their order by dice: one that showed it. The others come after it. */
  readonly from?: number;
}

/** One fault from start to end: what is wrong afterwards, `null` when nothing is. */
export type Case = () => string | null;

/**
 * The same in an order by dice that always fall alike: where neighbours show the same thing or show
 * nothing, what is looked for is found after a few of them.
 */
export function shuffled<Item>(items: readonly Item[], from = 0): readonly Item[] {
  let dice = 1234;
  const order = items.map((item) => {
    dice = (dice * 48_271) % 2_147_483_647;
    return { item, dice };
  });
  const all = order.sort((one, other) => one.dice - other.dice).map(({ item }) => item);
  return [...all.slice(from), ...all.slice(0, from)];
}
