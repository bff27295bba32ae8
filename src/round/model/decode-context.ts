/** What decoding a reply needs, in a run and in a conversation. */
import { isCodeLabel, runsAsCode } from '../../languages/languages.ts';
import type { DecodeContext } from '../../llm/tool-modes/tool-mode.ts';
import { judgeCall } from '../../tools/calls/validate-call.ts';
import { toolNamesOf } from '../../tools/toolset.ts';
import type { World } from '../files/world.ts';
import type { RunPorts } from '../run-ports.ts';

/** @param tools as the model is told of them */
export const decodeContext = (
  callId: string,
  tools: RunPorts['definitions'],
  run: Pick<RunPorts, 'tools' | 'world'>,
): DecodeContext => ({
  tools,
  names: toolNamesOf(run.tools),
  callId,
  judge: (name, args) => judgeCall({ id: callId, name, args }, run.tools),
  target: (path) => ({
    isFilled: isFilled(path, run.world),
    isForeign: (label) => !runsAsCode(path) && isCodeLabel(label),
  }),
});

/** A file that cannot be read as text is not empty. */
const isFilled = (path: string, world: World): boolean =>
  world.exists(path) && world.readText(path)?.trim() !== '';
