// Removes thinking from a reply, wherever a server left it in the text.
import type { CallCandidate } from './candidate.ts';

/** Replaces thinking: a call that spans it is not read. */
export const CUT = '\u0000';

const TOKEN =
  /<(\/?)(think|thinking|thought|reasoning)>|\[(\/?)THINK\]|<\|channel\|>analysis<\|message\|>|<\|(?:end|start|call|return)\|>/gi;

/**
 * Also removes thinking without a beginning, as templates leave it that open it themselves, or without an end.
 * @param callsIn finds what looks like calls in a text: tags inside their strings are content
 */
export function withoutThinking(
  text: string,
  callsIn: (text: string) => readonly CallCandidate[],
): string {
  const tokens = [...text.matchAll(TOKEN)];
  if (tokens.length === 0) return text;
  const shields = callsIn(text).filter(
    (call) => call.args !== null || (call.untyped === true && call.end < text.length),
  );
  const outside = outsideOf(tokens, shields);
  const regions: [start: number, end: number][] = [];
  let open: { readonly at: number; readonly closedBy: string } | null = null;
  for (const token of outside) {
    const { kind, closes } = kindOf(token);
    const end = token.index + token[0].length;
    if (open === null && !closes) open = { at: token.index, closedBy: kind };
    else if (open?.closedBy === kind && closes) {
      regions.push([open.at, end]);
      open = null;
    } else if (open === null && kind !== 'channel') regions.splice(0, regions.length, [0, end]);
  }
  if (open !== null) regions.push([open.at, text.length]);
  return cutOut(text, regions);
}

function kindOf(token: RegExpExecArray): { readonly kind: string; readonly closes: boolean } {
  const [whole, tagSlash, tag, bracketSlash] = token;
  if (tag !== undefined) return { kind: tag.toLowerCase(), closes: tagSlash === '/' };
  if (bracketSlash !== undefined) return { kind: '[think]', closes: bracketSlash === '/' };
  return { kind: 'channel', closes: !whole.startsWith('<|channel') };
}

/** Both lists are in the order of the text, so one pass is enough. */
function outsideOf(
  tokens: readonly RegExpExecArray[],
  shields: readonly CallCandidate[],
): readonly RegExpExecArray[] {
  const spans = [...shields].sort((a, b) => a.at - b.at);
  let next = 0;
  let covered = 0;
  return tokens.filter((token) => {
    for (let span = spans[next]; span && span.at < token.index; span = spans[next]) {
      covered = Math.max(covered, span.end);
      next += 1;
    }
    return token.index >= covered;
  });
}

function cutOut(text: string, regions: readonly (readonly [number, number])[]): string {
  const kept: string[] = [];
  let position = 0;
  for (const [start, end] of regions) {
    if (start > position) kept.push(text.slice(position, start));
    position = Math.max(position, end);
  }
  kept.push(text.slice(position));
  return kept.filter((part) => part.trim() !== '').join(`\n${CUT}\n`);
}
