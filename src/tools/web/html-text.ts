/** Converts HTML to text with the Markdown marks that carry meaning: headings, items, links, cells, code. */

import { Parser } from 'htmlparser2';
import { own } from '../../lib/own.ts';
import { onOneLine } from '../../lib/text/one-line.ts';

/** Elements that people do not read. */
const UNREAD: ReadonlySet<string> = new Set(
  'script style template svg math iframe object embed canvas audio video select datalist'.split(
    ' ',
  ),
);
/** Elements on lines of their own. */
const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote body dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);
/** Elements with an empty line around them. */
const APART: ReadonlySet<string> = new Set(
  'blockquote dl figure h1 h2 h3 h4 h5 h6 hr ol p pre table ul'.split(' '),
);
const HEADING = /^h([1-6])$/;
/** Deeper than any page written by hand. */
const DEEPEST_LIST = 8;
/** Browsers nest no deeper. The parser takes longer for each element the more elements are open. */
const DEEPEST = 512;

/** @param address of the page, used to resolve links */
export function htmlText(html: string, address: URL): string {
  const page = new Page(address);
  let depth = 0;
  let isCut = false;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        isCut ||= depth > DEEPEST;
        if (isCut) parser.pause();
        else page.open(name, attributes);
      },
      ontext: (text) => page.text(text),
      onclosetag: (name) => {
        depth -= 1;
        if (!isCut) page.close(name);
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return isCut
    ? `${page.read()}\n[the page goes on: its elements are nested too deeply]`
    : page.read();
}

type Attributes = { readonly [name: string]: string };

/** Owns the growing text. Outside `pre`, white space becomes one space, and there is at most one empty line. */
class Page {
  readonly #address: URL;
  readonly #parts: string[] = [];
  readonly #links: { readonly at: number; readonly href: string | null }[] = [];
  readonly #lists: { readonly isNumbered: boolean; count: number }[] = [];
  #title = '';
  #isTitle = false;
  #unread = 0;
  #pre = 0;
  #lines = 0;
  #hasSpace = false;
  #cells = 0;

  readonly #begins: { readonly [name: string]: (attributes: Attributes) => void } = {
    title: () => {
      this.#isTitle = this.#title === '';
    },
    br: () => this.#breakLine(1),
    hr: () => this.#put('---'),
    pre: () => {
      this.#put('```\n');
      this.#pre += 1;
    },
    code: () => this.#pre === 0 && this.#put('`'),
    ul: () => this.#lists.push({ isNumbered: false, count: 0 }),
    ol: () => this.#lists.push({ isNumbered: true, count: 0 }),
    li: () => this.#item(),
    tr: () => {
      this.#cells = 0;
    },
    td: () => this.#cell(),
    th: () => this.#cell(),
    img: ({ alt = '' }) => this.#image(alt),
    a: ({ href = '' }) => this.#links.push({ at: this.#parts.length, href: this.#whole(href) }),
  };

  readonly #ends: { readonly [name: string]: () => void } = {
    title: () => {
      this.#isTitle = false;
    },
    pre: () => {
      this.#pre = Math.max(0, this.#pre - 1);
      this.#put(this.#parts.at(-1)?.endsWith('\n') ? '```' : '\n```');
    },
    code: () => this.#pre === 0 && this.#parts.push('`'),
    ul: () => this.#lists.pop(),
    ol: () => this.#lists.pop(),
    a: () => this.#endLink(),
  };

  constructor(address: URL) {
    this.#address = address;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#unread > 0 || UNREAD.has(name) || 'hidden' in attributes) {
      this.#unread += 1;
      return;
    }
    if (BLOCKS.has(name)) this.#breakLine(APART.has(name) && this.#lists.length === 0 ? 2 : 1);
    const [, level] = HEADING.exec(name) ?? [];
    if (level !== undefined) this.#put(`${'#'.repeat(Number(level))} `);
    const begin = own(this.#begins, name);
    begin?.(attributes);
  }

  text(text: string): void {
    if (this.#unread > 0) return;
    if (this.#isTitle) this.#title += text;
    else if (this.#pre > 0) this.#put(text.replaceAll('\r', ''));
    else {
      const plain = text.replace(/[\s\u00a0]+/g, ' ');
      if (plain.startsWith(' ')) this.#hasSpace = true;
      const words = plain.trim();
      if (words === '') return;
      this.#put(words);
      this.#hasSpace = plain.endsWith(' ');
    }
  }

  close(name: string): void {
    if (this.#unread > 0) {
      this.#unread -= 1;
      return;
    }
    const end = own(this.#ends, name);
    end?.();
    if (BLOCKS.has(name)) this.#breakLine(APART.has(name) && this.#lists.length === 0 ? 2 : 1);
  }

  read(): string {
    const title = onOneLine(this.#title);
    const text = this.#parts.join('').trim();
    const isSaid = title === '' || text.startsWith(`# ${title}`);
    return isSaid ? text : `Title: ${title}\n\n${text}`.trim();
  }

  #put(text: string): void {
    const isFirst = this.#parts.length === 0;
    if (!isFirst && this.#lines > 0) this.#parts.push('\n'.repeat(this.#lines));
    else if (this.#hasSpace && /\S$/.test(this.#parts.at(-1) ?? '')) this.#parts.push(' ');
    this.#lines = 0;
    this.#hasSpace = false;
    this.#parts.push(text);
  }

  #breakLine(lines: number): void {
    this.#lines = Math.max(this.#lines, lines);
    this.#hasSpace = false;
  }

  #item(): void {
    const list = this.#lists.at(-1);
    if (list !== undefined) list.count += 1;
    const depth = Math.min(DEEPEST_LIST, Math.max(0, this.#lists.length - 1));
    this.#put(`${'  '.repeat(depth)}${list?.isNumbered ? `${list.count}.` : '-'} `);
  }

  #cell(): void {
    if (this.#cells > 0) this.#put(' | ');
    this.#cells += 1;
  }

  #image(alt: string): void {
    const words = onOneLine(alt);
    if (words !== '') this.#put(`[image: ${words}]`);
  }

  /**
   * The whole address of a link; `null` if it cannot be fetched next: then it is not worth its characters.
   */
  #whole(href: string): string | null {
    if (href === '' || href.startsWith('#') || !URL.canParse(href, this.#address.href)) return null;
    const url = new URL(href, this.#address);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  }

  #endLink(): void {
    const link = this.#links.pop();
    if (!link?.href || this.#parts.length <= link.at) return;
    const words = this.#parts.splice(link.at).join('');
    const [, space = '', said = ''] = /^(\s*)([\s\S]*)$/.exec(words) ?? [];
    // A link around several lines is placed after them.
    this.#parts.push(
      said === ''
        ? words
        : said.includes('\n')
          ? `${words} (${link.href})`
          : `${space}[${said}](${link.href})`,
    );
  }
}
