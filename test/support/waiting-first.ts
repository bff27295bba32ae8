/**
 * The order of the test files: those that mostly wait for other processes come first. The runner knows files
 * that it has never run by their size alone, and a small file that takes a minute would be left for the end.
 * Those that start many programs come next: a start copies the tables of all memory of the process that it is
 * started from, and that grows with each file.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * A fleet under kills takes longest of all; then come the rooms whose tests start whole programs, among them
 * what waits for a lease beside what works; then those that start git, Node and Python by the hundred.
 */
const WAITING = [
  /^test\/fleet\/(?:restate|temporal)\.test\.ts$/,
  /^test\/(?:crash|e2e|fleet|page|server)\/|^test\/package\.test\.ts$/,
  /^test\/(?:evidence|policy|processes)\//,
  /^test\/run\//,
];

/** @param path from the root of the project, with `/`. Lower comes first. */
export function rankOf(path: string): number {
  const at = WAITING.findIndex((room) => room.test(path));
  return at < 0 ? WAITING.length : at;
}

export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      rankOf(relative(this.ctx.config.root, moduleId).replaceAll('\\', '/'));
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}
