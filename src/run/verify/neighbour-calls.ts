/** Calls close to the examples of a goal. */
import type { TriedCall } from '../../evidence/evidence.ts';
import { languageOf } from '../../languages/languages.ts';
import { neighbours } from '../../probe/neighbours.ts';
import type { RunPorts } from '../../round/run-ports.ts';
import { dueExamples } from '../../steps/gate/examples.ts';

/**
 * Calls with inputs close to the goal's examples. They distinguish code that does the work from code that returns one
 * value.
 */
export function neighbourCalls({
  context,
  installed,
}: Pick<RunPorts, 'context' | 'installed'>): readonly TriedCall[] {
  const calls = dueExamples(context.state).flatMap(({ example: { input, gives }, file }) =>
    input.how === 'call' ? [{ ...input, gives, path: file }] : [],
  );
  return neighbours(calls).flatMap(({ example: { name, gives, path }, args }) => {
    const cmd = languageOf(path).runs?.evaluates?.(path)?.({ name, args, gives }, installed);
    const says = `${name}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`;
    return cmd === undefined ? [] : [{ path, says, cmd }];
  });
}
