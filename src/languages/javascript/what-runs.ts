/** Pure: what of a TypeScript file runs. Comments, layout, declarations of types and annotations do not. */
import { annotationsIn } from './annotations.ts';
import { partnersOf, type SourceToken, tokensOf } from './scan.ts';

/** False also if that is not sure, as with a change of what a method gives. */
export function runsAlike(before: string, after: string): boolean {
  const [was, is] = [running(before), running(after)];
  return was !== null && is !== null && was.join('\n') === is.join('\n');
}

/** The tokens that run; `null` if the text cannot be read for sure. */
function running(text: string): readonly string[] | null {
  const tokens = tokensOf(text);
  const partners = tokens && partnersOf(tokens);
  if (tokens === null || partners === null) return null;
  const annotations = annotationsIn({ tokens, partners });
  const kept: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const end = beginsLine(tokens[at], text)
      ? endOfTypes({ text, tokens, partners }, at)
      : (annotations.get(at) ?? null);
    if (end === null) kept.push(tokens[at]?.value ?? '');
    else at = end;
  }
  return kept;
}

const beginsLine = (token: SourceToken | undefined, text: string): boolean =>
  token !== undefined && (token.start === 0 || text[token.start - 1] === '\n');

interface Scan {
  readonly text: string;
  readonly tokens: readonly SourceToken[];
  readonly partners: ReadonlyMap<number, number>;
}

const MODIFIERS: ReadonlySet<string | undefined> = new Set(['export', 'declare', 'import']);

/** The last token of a declaration of types that begins here, at the start of a line; `null`: none does. */
function endOfTypes(scan: Scan, begin: number): number | null {
  const { tokens } = scan;
  let at = begin;
  while (MODIFIERS.has(tokens[at]?.value)) at += 1;
  const [word, name, next] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (word?.value === 'interface' && name?.kind === 'word') return endOfBlock(scan, at);
  // `type` is a name, too: only what follows tells.
  const isImported = at > begin && (name?.value === '{' || next?.value === 'from');
  const isAlias = name?.kind === 'word' && (next?.value === '=' || next?.value === '<');
  return word?.value === 'type' && (isImported || isAlias) ? endOfLines(scan, at) : null;
}

function endOfBlock({ tokens, partners }: Scan, from: number): number | null {
  const open = tokens.findIndex(({ value }, index) => index > from && value === '{');
  return partners.get(open) ?? null;
}

const CONTINUES: ReadonlySet<string> = new Set(['|', '&', '}', ')', ']', '>', '?', ':', '=']);

/** Up to the semicolon, or to the next line at the margin that does not continue the declaration. */
function endOfLines({ text, tokens, partners }: Scan, from: number): number {
  for (let at = from + 1; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.value === ';') return at;
    if (token && beginsLine(token, text) && !CONTINUES.has(token.value)) return at - 1;
    const partner = partners.get(at) ?? at;
    // The end of what stands around the declaration.
    if (partner < from) return at - 1;
    at = Math.max(at, partner);
  }
  return tokens.length - 1;
}
