/** A folder with programs, git among them, that only a run with a permission may start. */
import { type TestMachine, type TestWorld, testWorld } from './test-machine.ts';

/** Every program is there, and ends well; node prints what a file says. */
export const worldWithGit = (): TestWorld =>
  testWorld(([first = ''], _stdin, read) => {
    if (!first.endsWith('.mjs')) return { output: 'done\n', exitCode: 0 };
    const isThere = read(first)?.includes('console.log("hello")') === true;
    return { output: isThere ? 'hello\n' : 'Error: no\n', exitCode: isThere ? 0 : 1 };
  });

/** Finds every program of it. */
export function machineWithGit(world: TestWorld): TestMachine {
  const machine = world.machine();
  return {
    ...machine,
    processes: (...args) => {
      const processes = machine.processes(...args);
      return {
        ...processes,
        programs: {
          ...processes.programs,
          find: async (name) => ({
            ...{ kind: 'found', prefix: [], notice: '' },
            file: name === 'node' ? name : `/usr/bin/${name}`,
          }),
        },
      };
    },
  };
}
