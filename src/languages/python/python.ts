/** Python with pytest and its other tools. */
import type { Language } from '../language.ts';
import { assertions } from './assertions.ts';
import { commands } from './commands.ts';
import { alteredPython } from './emptied.ts';
import {
  configuresTests,
  definedNames,
  functions,
  isManifest,
  isTest,
  marksPackage,
  mayBeEmpty,
  onlyDefines,
  owns,
} from './files.ts';
import { ignoresInput } from './ignores-input.ts';
import { imports } from './imports.ts';
import { innerTests } from './inner-tests.ts';
import { inspectPython } from './inspect.ts';
import { machine } from './machine.ts';
import { output } from './output.ts';
import { running } from './running.ts';

export const python: Language = {
  name: 'python',
  owns,
  isTest,
  configuresTests,
  isData: () => false,
  isManifest,
  marksPackage,
  mayBeEmpty,
  inspect: inspectPython,
  emptied: (_path, text, before, deps) => alteredPython('emptied', { text, before }, deps),
  givingConstants: (_path, text, before, deps) => alteredPython('constant', { text, before }, deps),
  endingAtValues: (_path, text, before, deps) => alteredPython('no_value', { text, before }, deps),
  ignoresInput,
  innerTests,
  assertions,
  definedNames,
  functions,
  onlyDefines,
  failing: '"""Fail."""\n\nraise SystemExit(1)\n',
  imports,
  runs: running,
  output,
  commands,
  machine,
};
