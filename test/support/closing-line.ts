import type { Reporter, TestModule } from 'vitest/node';

/** Prints `N passed, N failed` as the last line; a file that cannot be loaded counts as one failure. */
export function closingLine(print: (line: string) => void): Reporter {
  return {
    onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]) {
      let passed = 0;
      let failed = unhandledErrors.length;
      for (const module of modules) {
        failed += module.errors().length;
        for (const test of module.children.allTests()) {
          const { state } = test.result();
          if (state === 'passed') passed += 1;
          if (state === 'failed') failed += 1;
        }
      }
      print(`${passed} passed, ${failed} failed`);
    },
  };
}
