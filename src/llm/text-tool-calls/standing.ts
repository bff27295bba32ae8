// Whether a call in a reply is meant, or an example that the reply shows; from the words around it.
import type { Candidate } from './candidate.ts';

export type Standing = 'meant' | 'unclear' | 'shown';

const LOOKED_AT = 240;

const EXAMPLE =
  /\b(?:for example|for instance|an example (?:of|call)|is an example|as an example|examples?:\s*$|such as)|\be\.g\.\s*$/i;
const UNCLEAR_BEFORE =
  /\b(?:could|would|might|like this|looks? (?:like|so)|you (?:can|may)|(?:the|this|following) (?:format|syntax|template)|do not|don't|never|must not|should not|instead of|previously|already)\b/i;
const UNCLEAR_AFTER =
  /\b(?:replace \S+ (?:with|by)|would|placeholder|example|hypothetical|adjust|you can)\b/i;
/** Words that some put before a call on its line. */
const LABEL =
  /^(?:functools|assistant|action|call|json|answer|output|response|tool_call|then|and)$/i;
const CLOSING = /^(?:\s{0,20}(?:<[^<>\n]{1,40}>|\[[A-Z_/]{1,30}\]|```)){0,5}/;

/**
 * @param from where the call before it ends, 0 for the first
 * @param to where the call after it begins, the end of the text for the last
 */
export function standingOf(text: string, call: Candidate, from: number, to: number): Standing {
  const before = text.slice(Math.max(from, call.at - LOOKED_AT), call.at);
  const after = text.slice(call.end, Math.min(to, call.end + LOOKED_AT)).replace(CLOSING, '');
  const lineBefore = before.slice(before.lastIndexOf('\n') + 1).trim();
  if (lineBefore.startsWith('>') || (lineBefore.endsWith('`') && !lineBefore.endsWith('```'))) {
    return 'shown';
  }
  const sentence = lastSentence(before);
  if (EXAMPLE.test(sentence)) return 'shown';
  const isUnclear =
    call.isInCode === true || UNCLEAR_BEFORE.test(sentence) || UNCLEAR_AFTER.test(after);
  if (call.weight === 'marked' || call.form.startsWith('fenced')) {
    return isUnclear ? 'unclear' : 'meant';
  }
  const goesOn = /^[\p{L}\p{N}]/u.test((after.split('\n', 1)[0] ?? '').trim());
  const isBegun = /[\p{L}\p{N}]$/u.test(lineBefore) && !LABEL.test(lineBefore);
  if (goesOn && isBegun) return 'shown';
  return isUnclear || goesOn || isBegun ? 'unclear' : 'meant';
}

/** The end of the last sentence that is said before a call. */
const lastSentence = (before: string): string => {
  const said = before.trimEnd();
  const line = said.slice(said.lastIndexOf('\n') + 1);
  return /\be\.g\.$/.test(line) ? line : (line.split(/[.!?]\s/).at(-1) ?? '');
};

/** What a model writes where it does not yet know what to say. */
export function placeholderIn(args: Record<string, unknown>): string | null {
  for (const value of Object.values(args)) {
    if (typeof value !== 'string' || value.length > 60) continue;
    const text = value.trim();
    if (text === '...' || text === '…' || /^<[a-z][\w -]*>$/i.test(text)) return text;
  }
  return null;
}

const RESULT =
  /<\/?(?:tool_response|tool_result|function_results?|start_function_response)>|<start_function_response>|<\|tool_response>|\[TOOL_RESULTS\]|<[｜|]tool[▁_]output|<\|ipython\|>|^\s{0,8}Observation:/gim;

/** Where the model begins to invent results of its calls; what follows rests on nothing. */
export function inventedFrom(text: string, calls: readonly Candidate[]): number {
  for (const { index } of text.matchAll(RESULT)) {
    if (!calls.some((call) => call.at < index && index < call.end)) return index;
  }
  return text.length;
}
