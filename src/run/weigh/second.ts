/** What there is to hold own tests against: the code as it was written a second time, and calls to try on both. */

import { driverOf } from '../../drivers/driver-of.ts';
import { secondCode } from '../../drivers/second-code.ts';
import { languageOf } from '../../languages/languages.ts';
import type { Evidence, TriedCall } from '../../probe/evidence.ts';
import { neighbours } from '../../probe/neighbours.ts';
import type { Run } from '../../round/run.ts';
import { dueExamples } from '../../steps/examples.ts';

type SecondPort = Pick<Run, 'context' | 'installed'>;

export function secondOf(run: SecondPort): Pick<Evidence, 'secondWritings' | 'calls'> {
  const { context } = run;
  const { settings, files, guided } = context.state;
  const { secondWritings = {} } = guided;
  if (!driverOf(settings).writesTwice) return { calls: callsOf(run) };
  const texts = Object.entries(secondWritings)
    .filter(([path, { of }]) => files[path]?.hash === of)
    .map(
      ([path, { offset }]) => [path, offset === null ? null : written(run, path, offset)] as const,
    );
  return { secondWritings: new Map(texts), calls: callsOf(run) };
}

/** Read as the content of a file is, and never written into the workspace. */
function written({ context }: SecondPort, path: string, offset: number): string | null {
  const { response } = context.read(offset, 'turn_finished');
  return secondCode(context.textOf(response.content), path);
}

function callsOf({ context, installed }: SecondPort): readonly TriedCall[] {
  const calls = dueExamples(context.state).flatMap(({ example: { input, gives }, file }) =>
    input.how === 'call' ? [{ ...input, gives, path: file }] : [],
  );
  return neighbours(calls).flatMap(({ example: { name, gives, path }, args }) => {
    const cmd = languageOf(path).runs?.evaluates?.(path)?.({ name, args, gives }, installed);
    const says = `${name}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`;
    return cmd === undefined ? [] : [{ path, says, cmd }];
  });
}
