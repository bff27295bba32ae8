/** From a call as it came to a tool and its validated arguments. Pure. */
import type { ToolCall } from '../schema/messages.ts';
import type { Tool } from './contract.ts';
import { normaliseCall } from './normalise-call.ts';
import { isObject, parametersOf, strictArgsOf } from './parameters.ts';
import { signatureOf } from './signature.ts';

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
    message: `${faults.join('; ')}. The arguments are ${usageOf(tool)}.`,
  };
}

/** `write_file {path: string, content: string, create_dirs?: boolean}` */
export function usageOf(tool: Tool): string {
  const { properties, required } = parametersOf(tool);
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => {
    const type = isObject(property) && typeof property.type === 'string' ? property.type : 'any';
    return `${name}${needed.has(name) ? '' : '?'}: ${type}`;
  });
  return `${tool.name} {${fields.join(', ')}}`;
}
