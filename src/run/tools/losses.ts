/** What existing files lost because the model insisted on a change. */

import { eachOf } from '../../evidence/reading.ts';
import type { Interruptible } from '../../lib/interruptible.ts';
import type { RunPorts } from '../../round/run-ports.ts';
import type { Lost } from '../../schema/lost.ts';
import { droppedText } from '../../tools/files/losses.ts';
import { decodeText } from '../../workspace/text-encoding.ts';
import { recordsOf } from '../records-of.ts';

export type LossPort = Pick<RunPorts, 'context' | 'world' | 'toolContext'>;

/** Compared with the files at the end: content that a later write restored is not lost. */
export function* lossesAtEnd({
  context,
  world,
  toolContext,
}: LossPort): Interruptible<{ lost?: Lost[] }> {
  const insisted = new Map<string, string>();
  const intents = () => recordsOf({ context, ...toolContext }, ['action_intended']);
  yield* eachOf(intents, (record) => {
    if (record.type !== 'action_intended') return;
    for (const { path, before, drops } of record.files)
      if (drops !== undefined && before !== null && !insisted.has(path)) insisted.set(path, before);
  });
  const { blobs } = context.journal;
  const lost = [...insisted].flatMap(([path, before]) => {
    const was = blobs.has(before) ? decodeText(blobs.read(before)) : null;
    if (was?.kind !== 'text') return [];
    const drops = droppedText(path, was.text, world.readText(path) ?? '', {
      isNamed: toolContext.isNamed,
      textOf: (file) => world.readText(file),
    });
    return drops === null ? [] : [{ path, drops }];
  });
  return lost.length > 0 ? { lost } : {};
}
