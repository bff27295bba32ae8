/** JavaScript, node and npm; of TypeScript only the names of its files. */
import type { Language } from '../language.ts';
import { commands } from './commands.ts';
import { endingAtValues, givingConstants } from './constant.ts';
import { checkedByNode, emptied } from './emptied.ts';
import { definedNames, functions, onlyDefines } from './exports.ts';
import {
  configuresTests,
  isManifest,
  isSettingsCode,
  isTest,
  onlyDeclares,
  owns,
  PRODUCTS,
  resemblesTest,
} from './files.ts';
import { ignoresInput } from './ignores-input.ts';
import { imports } from './imports.ts';
import { innerTests } from './inner-tests.ts';
import { inspectJavaScript } from './inspect.ts';
import { machine } from './machine.ts';
import { testNames } from './named-tests.ts';
import { output } from './output.ts';
import { running } from './running.ts';
import { runsAlike } from './what-runs.ts';

export const javascript: Language = {
  name: 'javascript',
  owns,
  isTest,
  resemblesTest,
  configuresTests,
  isSettingsCode,
  isData: () => false,
  isManifest,
  products: PRODUCTS,
  inspect: inspectJavaScript,
  onlyDeclares,
  runsAlike,
  emptied: checkedByNode(emptied),
  givingConstants: checkedByNode(givingConstants),
  endingAtValues: checkedByNode(endingAtValues),
  ignoresInput,
  innerTests,
  definedNames,
  testNames: (path, text) => (isTest(path) ? testNames(text) : []),
  functions,
  onlyDefines,
  failing: "throw new Error('It fails.');\n",
  imports,
  runs: running,
  output,
  commands,
  machine,
};
