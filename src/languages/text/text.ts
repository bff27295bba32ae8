/** All files that no language owns: prose, data, markup, and code about which we know nothing more. */
import type { Language } from '../language.ts';
import { innerTests } from './inner-tests.ts';
import { configuresTests, isNamedAsTest } from './test-names.ts';
import { isCodeFile } from './text-problems.ts';

export const text: Language = {
  name: 'text',
  owns: () => true,
  isTest: () => false,
  configuresTests,
  mayBeProse: (path) => !isCodeFile(path),
  resemblesTest: isNamedAsTest,
  innerTests,
  isDocument: (path) => /\.(?:md|markdown|rst|adoc)$/i.test(path),
  isData: (path) => /\.(?:csv|tsv|txt|md|ya?ml|toml|ini|xml)$/.test(path),
};
