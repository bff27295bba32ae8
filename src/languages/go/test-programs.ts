/** Pure: the programs that run Go's tests. */
import type { TestProgram } from '../language.ts';

export const testPrograms: { readonly [program: string]: TestProgram } = {
  go: {
    takes: '-C --C',
    tests: ['test'],
    folder: 'test -C {} ./...',
    namesTests: true,
  },
  gotestsum: { tests: [''] },
  ginkgo: { tests: [''] },
};
