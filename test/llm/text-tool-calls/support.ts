// A reply read in native mode, with the tools a run has.
import { nativeMode } from '../../../src/llm/tool-modes/native.ts';
import type { Decoded } from '../../../src/schema/records.ts';
import { callAsMeant } from '../../../src/tools/normalise-call.ts';
import { builtinTools, toolDefinitions } from '../../../src/tools/registry.ts';
import { judgeCall, validateCall } from '../../../src/tools/validate-call.ts';

const tools = builtinTools({
  programs: {
    find: async () => ({ kind: 'missing', reason: '', hint: '' }),
    environment: () => ({}),
  },
  fingerprint: () => '',
});
const definitions = toolDefinitions(tools);

/** @param onJudge is told of every call that is looked at */
export const decode = (content: string, onJudge = () => {}): Decoded =>
  nativeMode.decode(
    { kind: 'action', open: [] },
    { role: 'assistant', content },
    {
      tools: definitions,
      names: { writesFiles: null, listsFolders: null, endsSubtasks: null },
      callId: 'call_1',
      judge: (name, args) => {
        onJudge();
        return judgeCall({ id: 'call_1', name, args }, tools);
      },
    },
  );

export const outcomeOf = (decoded: Decoded): 'call' | 'shown back' | 'text' =>
  (({ calls: 'call', invalid: 'shown back', text: 'text' }) as const)[decoded.kind];

/** Calls that a run would not carry out as they stand: there shall be none. */
export const strayCalls = (decoded: Decoded) =>
  decoded.kind !== 'calls'
    ? []
    : decoded.calls.filter(
        (call) =>
          !tools.some((tool) => tool.name === call.name) ||
          validateCall(callAsMeant(call, tools), tools).kind !== 'valid',
      );

/** The calls with their arguments as the tools get them, defaults filled in. */
export const argumentsOf = (calls: readonly (readonly [string, object])[]) =>
  calls.map(([name, args]) => {
    const call = callAsMeant({ id: '', name, args: { ...args } }, tools);
    const valid = validateCall(call, tools);
    return valid.kind === 'valid' ? [valid.tool.name, valid.args] : [name, valid.message];
  });

export const callsOf = (decoded: Decoded) =>
  decoded.kind === 'calls'
    ? argumentsOf(decoded.calls.map(({ name, args }) => [name, args] as const))
    : [];
