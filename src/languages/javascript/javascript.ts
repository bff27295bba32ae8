/** JavaScript, node and npm; of TypeScript the names of its files. */
import type { Language } from '../language.ts';
import { commands } from './commands.ts';
import { definedNames, onlyDefines } from './exports.ts';
import { isTest, owns, PRODUCTS } from './files.ts';
import { lookAtJavaScript } from './look.ts';
import { machine } from './machine.ts';
import { importLines, runnerLines } from './modules.ts';
import { output } from './output.ts';
import { plan } from './plan.ts';
import { running } from './running.ts';

export const javascript: Language = {
  name: 'javascript',
  owns,
  isTest,
  isData: () => false,
  products: PRODUCTS,
  look: lookAtJavaScript,
  definedNames,
  onlyDefines,
  importLines,
  testImports: (installed, forFile) => (installed.has('node') ? runnerLines(forFile) : []),
  runs: running,
  output,
  commands,
  machine,
  plan,
};
