/** From a call as it came to a tool and its validated arguments. Pure. */
import type { ToolCall } from '../schema/messages.ts';
import type { Tool } from './contract.ts';
import { normaliseCall } from './normalise-call.ts';
import { strictArgsOf } from './parameters.ts';
import { signatureOf } from './signature.ts';
import { usageOf } from './usage.ts';

export type ValidCall =
  | {
      readonly kind: 'valid';
      readonly tool: Tool;
      /** Defaults filled in. */
      readonly args: { readonly [name: string]: unknown };
      readonly signature: string;
    }
  | {
      readonly kind: 'invalid';
      readonly tool: string;
      readonly signature: string;
      readonly message: string;
    };

export function validateCall(call: ToolCall, tools: readonly Tool[]): ValidCall {
  const normalised = normaliseCall(call, tools);
  if (normalised.kind === 'unknown_tool') {
    const signature = signatureOf(call.name, call.args);
    return { kind: 'invalid', tool: call.name, signature, message: normalised.message };
  }
  const { tool } = normalised;
  const parsed = strictArgsOf(tool).safeParse(normalised.args);
  if (parsed.success) {
    const signature = signatureOf(tool.name, parsed.data);
    return { kind: 'valid', tool, args: parsed.data, signature };
  }
  const faults = parsed.error.issues.map((issue) =>
    issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`,
  );
  return {
    kind: 'invalid',
    tool: tool.name,
    signature: signatureOf(tool.name, normalised.args),
    message: `${shortened(faults.join('; '))}. The arguments are ${usageOf(tool)}.`,
  };
}

/** Enough of a fault to mend it; a call of a thousand wrong arguments has as many faults. */
const MAX_FAULTS = 400;

const shortened = (faults: string): string =>
  faults.length <= MAX_FAULTS ? faults : `${faults.slice(0, MAX_FAULTS)}…`;

/** A call before it is one: which tool it means, and what keeps it from being carried out. */
export function judgeCall(call: ToolCall, tools: readonly Tool[]) {
  const valid = validateCall(call, tools);
  const fault = valid.kind === 'valid' ? null : valid.message;
  const tool =
    valid.kind === 'valid' ? valid.tool : (tools.find(({ name }) => name === valid.tool) ?? null);
  return {
    tool: tool?.name ?? null,
    isReadOnly: tool?.class === 'read',
    usage: tool === null ? '' : usageOf(tool),
    fault,
  };
}
