/**
 * Lets an embedding program answer questions with the signature of the Claude Agent SDK. It is called when the
 * rules ask and may take as long as it likes. If it throws, the answer is no.
 */
import type { AskAnswer } from './answer.ts';
import type { PermissionQuestion } from './person.ts';

/** The details of a call that is asked about. `suggestions` are rules that the answer may return. */
export interface CanUseToolOptions {
  /** Aborted when the run stops or someone else has answered. */
  readonly signal: AbortSignal;
  /** Rules that would allow the call in future; they take effect when returned as `updatedPermissions`. */
  readonly suggestions?: readonly PermissionUpdate[];
  /** The id of the call in the model's reply. */
  readonly toolUseID: string;
}

/** Rules that consent creates, for this run or for the folder. */
export interface PermissionUpdate {
  readonly type: string;
  readonly rules?: readonly { readonly toolName: string; readonly ruleContent?: string }[];
  readonly behavior?: string;
  /** `session`: for this run; anything else: for the folder. */
  readonly destination?: string;
}

/** Consent, optionally with a changed input and further rules, or a no with its reason. */
export type PermissionResult =
  | {
      readonly behavior: 'allow';
      /** The input that the tool gets instead of the model's; it is judged again. */
      readonly updatedInput?: { readonly [name: string]: unknown };
      readonly updatedPermissions?: readonly PermissionUpdate[];
    }
  | { readonly behavior: 'deny'; readonly message: string; readonly interrupt?: boolean };

/** Answers what the rules ask, with the signature of the Claude Agent SDK. If it throws, the answer is no. */
export type CanUseTool = (
  toolName: string,
  input: { readonly [name: string]: unknown },
  options: CanUseToolOptions,
) => Promise<PermissionResult>;

/**
 * Asks the function instead of a person, with the same precautions.
 * @param interrupt stops the run in an orderly way
 */
export const askBy =
  (canUseTool: CanUseTool, interrupt: () => void) =>
  async (question: PermissionQuestion, signal: AbortSignal): Promise<AskAnswer> => {
    const { tool, input, callId } = question;
    const suggestions = suggestionsOf(question);
    const options = { signal, toolUseID: callId, ...(suggestions.length > 0 && { suggestions }) };
    return answerOf(await canUseTool(tool, structuredClone(input), options), question, interrupt);
  };

function suggestionsOf({ offered }: PermissionQuestion): readonly PermissionUpdate[] {
  if (offered.length === 0) return [];
  const rules = offered.map((rule) => {
    const [, toolName = rule, ruleContent] = /^([\w.-]+)\((.*)\)$/s.exec(rule) ?? [];
    return ruleContent === undefined ? { toolName } : { toolName, ruleContent };
  });
  return [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }];
}

const ruleText = ({ toolName, ruleContent }: Rule): string =>
  ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;

type Rule = NonNullable<PermissionUpdate['rules']>[number];

/** Returned rules count only if all offered rules are among them; a narrower answer holds for this call. */
function kindOf(
  updates: readonly PermissionUpdate[],
  { offered }: PermissionQuestion,
): 'once' | 'run' | 'always' {
  const given = updates.filter(({ type, behavior }) => type === 'addRules' && behavior === 'allow');
  const rules = given.flatMap((update) => update.rules ?? []).map(ruleText);
  if (offered.length === 0 || !offered.every((rule) => rules.includes(rule))) return 'once';
  return given.some(({ destination }) => destination === 'session') ? 'run' : 'always';
}

function answerOf(
  result: PermissionResult,
  question: PermissionQuestion,
  interrupt: () => void,
): AskAnswer {
  if (result?.behavior === 'allow') {
    const { updatedInput, updatedPermissions = [] } = result;
    const kind = kindOf(updatedPermissions, question);
    return { kind, ...(updatedInput === undefined ? {} : { input: updatedInput }) };
  }
  if (result?.behavior !== 'deny')
    return { kind: 'no', why: 'canUseTool gave neither allow nor deny.' };
  if (result.interrupt === true) interrupt();
  return { kind: 'no', why: String(result.message ?? '') };
}
