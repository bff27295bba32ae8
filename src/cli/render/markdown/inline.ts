/** Pure: emphasis, code and links of one line of Markdown, as spans. */
import { Lexer, type Token } from 'marked';
import type { Tone } from '../text/style.ts';
import { type StyledText, unstyled } from '../text/words.ts';

/** A longer line is not prose, and may take seconds. */
export const LONGEST = 5_000;

/** Marks become a style; HTML and everything else stays as written. */
export const inlineSpans = (text: string, tone: Tone = 'plain'): readonly StyledText[] =>
  text.length > LONGEST ? [unstyled(text)] : spansOf(Lexer.lexInline(text), tone);

export const spansOf = (tokens: readonly Token[], tone: Tone): readonly StyledText[] =>
  tokens.flatMap((token, at) => spansOfToken(token, tone, tokens[at - 1]?.raw ?? ''));

function spansOfToken(token: Token, tone: Tone, before: string): readonly StyledText[] {
  const within = (as: Tone): readonly StyledText[] =>
    spansOf(('tokens' in token && token.tokens) || [], as);
  if ((token.type === 'strong' || token.type === 'em') && isLiteral(token.raw, before)) {
    const mark = { text: token.raw.slice(0, token.type === 'em' ? 1 : 2), tone };
    return [mark, ...within(tone), mark];
  }
  switch (token.type) {
    case 'strong':
      return within('strong');
    case 'em':
      return within(tone === 'strong' ? tone : 'emphasis');
    case 'del':
      return within('dim');
    case 'codespan':
      return [{ text: codeIn(token.raw), tone: 'code' }];
    case 'escape':
      return [{ text: token.raw.slice(1), tone }];
    case 'link': {
      const { href = '' } = token as { readonly href?: string };
      const label = within('link');
      const isBare = label.map(({ text }) => text).join('') === href || href.startsWith('mailto:');
      return isBare ? label : [...label, { text: ` (${href})`, tone: 'dim' }];
    }
    default:
      return [{ text: token.raw, tone }];
  }
}

/** True for the marks of a name, a glob or a product: `__init__`, `src/*.py and lib/*.py`, `x**2 + y**2`. */
const isLiteral = (raw: string, before: string): boolean =>
  /[\w/\\]$/.test(before) || /^__\S+__$|^\*+\.\w|[/\\]\*+$/.test(raw);

/** Without its backquotes, and without the blank that separates an inner backquote from them. */
function codeIn(raw: string): string {
  const marks = /^`+/.exec(raw)?.[0].length ?? 0;
  const inner = raw.slice(marks, raw.length - marks);
  return /^ .*[^ ].* $/.test(inner) ? inner.slice(1, -1) : inner;
}
