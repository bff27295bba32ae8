/** Go and its own test runner. */
import type { Language } from '../language.ts';
import { assertions } from './assertions.ts';
import { commands } from './commands.ts';
import { emptiedGo } from './emptied.ts';
import { definedNames, functions, isData, isManifest, isTest, onlyDefines, owns } from './files.ts';
import { inspectGo } from './inspect.ts';
import { machine } from './machine.ts';
import { output } from './output.ts';
import { running } from './running.ts';

export const go: Language = {
  name: 'go',
  owns,
  isTest,
  isData,
  isManifest,
  inspect: inspectGo,
  emptied: async (path, text, before) => emptiedGo(path, text, before),
  definedNames,
  functions,
  assertions,
  onlyDefines,
  runs: running,
  output,
  commands,
  machine,
};
