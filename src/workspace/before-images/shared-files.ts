/** Knows which files somebody else writes during a run: those that change while no command runs. */
import type { FileChange } from '../../schema/actions.ts';
import type { HashedScan } from '../changes.ts';

type Hashes = HashedScan['hashes'];

export class SharedFiles {
  readonly #shared = new Set<string>();
  /** The hashes at the end of this process's last command. */
  #left: Hashes = new Map();

  /**
   * Returns the files that were found to be shared since.
   * @param isNobodyElses true for a content that the run knows: when it comes back, nobody else has worked
   */
  atBegin(now: Hashes, isNobodyElses: (path: string, hash: string) => boolean): readonly string[] {
    const found = [...now].flatMap(([path, hash]) => {
      const left = this.#left.get(path) ?? null;
      const isSame = left === null || hash === null || left === hash;
      return isSame || this.#shared.has(path) || isNobodyElses(path, hash) ? [] : [path];
    });
    for (const path of found) this.#shared.add(path);
    return found;
  }

  atEnd(before: Hashes, changes: readonly FileChange[]): void {
    this.#left = new Map([...before, ...changes.map(({ path, after }) => [path, after] as const)]);
  }

  /** False for a removal: the file can be brought back, whoever removed it. */
  hides({ path, after }: FileChange): boolean {
    return after !== null && this.#shared.has(path);
  }
}
