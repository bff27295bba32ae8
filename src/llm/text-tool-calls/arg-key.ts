// GLM's calls: <tool_call>NAME<arg_key>k</arg_key><arg_value>v</arg_value></tool_call>.
import { type Candidate, type Family, MOST_CANDIDATES } from './candidate.ts';

const HEAD = /<tool_call>\s{0,20}([\w.:-]{1,80})\s{0,20}(?=<arg_key>|<\/tool_call>)/gi;

export const argKeyCalls: Family = (text) => {
  const found: Candidate[] = [];
  let consumed = 0;
  for (const match of text.matchAll(HEAD)) {
    if (match.index < consumed) continue;
    if (found.length >= MOST_CANDIDATES) break;
    const read = readPairs(text, match.index + match[0].length);
    consumed = read.end;
    const name = match[1] ?? '';
    const place = { at: match.index, form: 'arg_key', weight: 'marked' } as const;
    found.push({ name, untyped: true, ...place, ...read });
  }
  return found;
};

/** `args` is `null` where the text ends inside a pair; without a closing tag more may have been meant. */
function readPairs(text: string, start: number): Pick<Candidate, 'args' | 'end' | 'repaired'> {
  const args: [string, string][] = [];
  const cut = { args: null, end: text.length, repaired: true };
  let position = start;
  while (text.startsWith('<arg_key>', position)) {
    const keyEnd = text.indexOf('</arg_key>', position);
    if (keyEnd < 0) return cut;
    const opening = /\s{0,20}<arg_value>/y;
    opening.lastIndex = keyEnd + '</arg_key>'.length;
    const value = opening.exec(text);
    const valueEnd = value ? text.indexOf('</arg_value>', opening.lastIndex) : -1;
    if (!value || valueEnd < 0) return cut;
    const key = text.slice(position + '<arg_key>'.length, keyEnd).trim();
    args.push([key, text.slice(value.index + value[0].length, valueEnd)]);
    const gap = /\s{0,20}/y;
    gap.lastIndex = valueEnd + '</arg_value>'.length;
    gap.exec(text);
    position = gap.lastIndex;
  }
  const isTwice = new Set(args.map(([key]) => key)).size < args.length;
  const repaired = isTwice || !text.startsWith('</tool_call>', position);
  return { args: Object.fromEntries(args), end: position, repaired };
}
