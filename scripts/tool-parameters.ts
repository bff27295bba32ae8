// Prints the arguments of each tool that is written here, by its name, as a model is told them: the build puts
// them into the program.
import { parametersOf } from '../src/tools/calls/parameters.ts';
import { builtinTools } from '../src/tools/registry.ts';

const programs = {
  find: async () => ({ kind: 'missing', reason: '', hint: '' }) as const,
  environment: () => ({}),
};
const tools = builtinTools({ programs }, { shell: true });
process.stdout.write(
  JSON.stringify(Object.fromEntries(tools.map((tool) => [tool.name, parametersOf(tool)]))),
);
