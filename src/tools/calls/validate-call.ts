/** Turns a normalised call into a tool and its validated arguments. Pure. */
import stringify from 'fast-json-stable-stringify';
import { thrownText } from '../../lib/callback.ts';
import { sha256 } from '../../lib/sha256.ts';
import { shortened } from '../../lib/text/shortened.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { CallTarget, Tool } from '../contract.ts';
import { toolNamed } from '../toolset.ts';
import type { CallArgs, ParsedArgs } from './args-schema.ts';
import {
  isTooMany,
  MAX_ARGUMENTS,
  MAX_NAME,
  normalisedCall,
  unknownTool,
} from './normalise-call.ts';
import { callUsage } from './usage.ts';

export type ValidCall =
  | {
      readonly kind: 'valid';
      readonly tool: Tool;
      /** With defaults filled in. */
      readonly args: CallArgs;
      readonly signature: string;
      /** The object of the call; `null`: its tool names none. */
      readonly target: CallTarget | null;
    }
  | {
      readonly kind: 'invalid';
      readonly tool: string;
      readonly signature: string;
      readonly message: string;
    };

/** @param isAlone nothing can run in the background */
export function validateCall(call: ToolCall, tools: readonly Tool[], isAlone = false): ValidCall {
  const tool = toolNamed(tools, call.name);
  if (tool === null) {
    const signature = signatureOf(call.name, call.args);
    const message = unknownTool(call.name, tools);
    return { kind: 'invalid', tool: shortened(call.name, MAX_NAME), signature, message };
  }
  const usage = callUsage(tool, isAlone ? tool.alone?.leftOut : []);
  if (isTooMany(call.args)) return tooMany(tool, call.args, usage);
  const parsed = parsedBy(tool, call.args);
  if (parsed.ok) {
    const signature = signatureOf(tool.name, parsed.args);
    const target = tool.target?.(parsed.args) ?? null;
    return { kind: 'valid', tool, args: parsed.args, signature, target };
  }
  return {
    kind: 'invalid',
    tool: tool.name,
    signature: signatureOf(tool.name, call.args),
    message: `${shortened(parsed.faults.join('; '), MAX_FAULTS)}. The arguments are ${usage}.`,
  };
}

/**
 * Two calls with this hash in common are the same. It covers the tool's name and the arguments, in any key
 * order.
 */
export const signatureOf = (tool: string, args: CallArgs): string =>
  sha256(`${tool}\0${stringify(args)}`).slice(0, 16);

/**
 * Turns an exception into a fault: the check may be foreign code, and arguments may be nested too deeply for
 * any check.
 */
function parsedBy({ args }: Tool, given: CallArgs): ParsedArgs<CallArgs> {
  try {
    return args.parse(given);
  } catch (error) {
    return { ok: false, faults: [`The arguments could not be checked: ${thrownText(error)}`] };
  }
}

function tooMany(tool: Tool, args: CallArgs, usage: string): ValidCall {
  const count = Object.keys(args).length.toLocaleString('en');
  const message = `The call has ${count} arguments, and no more than ${MAX_ARGUMENTS} are read. The arguments are ${usage}.`;
  return { kind: 'invalid', tool: tool.name, signature: signatureOf(tool.name, args), message };
}

/** Enough characters of a fault to fix it; a call with a thousand wrong arguments has as many faults. */
const MAX_FAULTS = 400;

/** Examines a raw call: which tool it means, and what prevents it from being carried out. */
export function judgeCall(call: ToolCall, tools: readonly Tool[]) {
  const valid = validateCall(normalisedCall(call, tools, 'own'), tools);
  const fault = valid.kind === 'valid' ? null : valid.message;
  const tool = valid.kind === 'valid' ? valid.tool : toolNamed(tools, valid.tool);
  return {
    tool: tool?.name ?? null,
    isReadOnly: tool?.touches === 'reads',
    usage: tool === null ? '' : callUsage(tool),
    fault,
  };
}
