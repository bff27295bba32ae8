// A reply read in native mode, with the tools a run has.
import { nativeMode } from '../../../src/llm/tool-modes/native.ts';
import type { Decoded } from '../../../src/schema/records.ts';
import { normalisedCall } from '../../../src/tools/calls/normalise-call.ts';
import { judgeCall, validateCall } from '../../../src/tools/calls/validate-call.ts';
import { DEFINITIONS, NAMES, TOOLS } from '../../support/built-in-tools.ts';

/** @param onJudge is told of every call that is looked at */
export const decode = (content: string, onJudge = () => {}): Decoded =>
  nativeMode.decode(
    { kind: 'action', open: [] },
    { role: 'assistant', content },
    {
      tools: DEFINITIONS,
      names: NAMES,
      callId: 'call_1',
      judge: (name, args) => {
        onJudge();
        return judgeCall({ id: 'call_1', name, args }, TOOLS);
      },
      target: () => ({ isFilled: false }),
    },
  );

export const outcomeOf = (decoded: Decoded): 'call' | 'shown back' | 'text' | 'file' =>
  (({ calls: 'call', invalid: 'shown back', text: 'text', file: 'file' }) as const)[decoded.kind];

/** Calls that a run would not carry out as they stand: there shall be none. */
export const strayCalls = (decoded: Decoded) =>
  decoded.kind !== 'calls'
    ? []
    : decoded.calls.filter(
        (call) =>
          !TOOLS.some((tool) => tool.name === call.name) ||
          validateCall(normalisedCall(call, TOOLS), TOOLS).kind !== 'valid',
      );

/** The calls with their arguments as the tools get them, defaults filled in. */
export const argumentsOf = (calls: readonly (readonly [string, object])[]) =>
  calls.map(([name, args]) => {
    const call = normalisedCall({ id: '', name, args: { ...args } }, TOOLS);
    const valid = validateCall(call, TOOLS);
    return valid.kind === 'valid' ? [valid.tool.name, valid.args] : [name, valid.message];
  });

export const callsOf = (decoded: Decoded) =>
  decoded.kind === 'calls'
    ? argumentsOf(decoded.calls.map(({ name, args }) => [name, args] as const))
    : [];
