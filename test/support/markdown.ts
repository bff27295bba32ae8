import { readdirSync, readFileSync } from 'node:fs';

export interface Page {
  readonly path: string;
  readonly text: string;
}

export interface Block {
  readonly language: string;
  readonly code: string;
  /** `docs/internals/command-line.md:12`, the line of its first fence. */
  readonly place: string;
}

/** Every page for users and contributors. */
export function pages(): Page[] {
  const roots = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`);
  return [...roots, ...docs].map((path) => ({
    path,
    text: readFileSync(path, 'utf8').replaceAll('\r\n', '\n'),
  }));
}

export function blocksOf({ path, text }: Page): Block[] {
  return [...text.matchAll(/^```(\S*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? '',
    code: match[2] ?? '',
    place: `${path}:${text.slice(0, match.index).split('\n').length}`,
  }));
}

/** Text between single backticks, outside of blocks. */
export function inlineCodeOf({ text }: Page): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
}

/** Relative targets of links and images. */
export function linksOf({ text }: Page): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => (match[1] ?? '').replace(/#.*/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}

/** Relative links to a heading; `target`: '' for one of the same page. */
export function anchorsOf({ text }: Page): { readonly target: string; readonly anchor: string }[] {
  return [...text.matchAll(/\]\(((?![a-z]+:)[^)\s#]*)#([^)\s]+)\)/g)].map((match) => ({
    target: match[1] ?? '',
    anchor: match[2] ?? '',
  }));
}

/** The names by which a page's headings can be linked to, as GitHub makes them. */
export function headingsOf(text: string): ReadonlySet<string> {
  const titles = [...text.matchAll(/^#+ (.*)$/gm)].map((match) => match[1] ?? '');
  const slug = (title: string): string =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
  return new Set(titles.map(slug));
}

/** Cells of the rows below the table header that begins with these titles. */
export function tableOf({ path, text }: Page, titles: readonly string[]): string[][] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${titles.join(' | ')} |`));
  if (start === -1) throw new Error(`${path} has no table with the columns ${titles.join(', ')}`);
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end === -1 ? undefined : end).map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** How many words a reader reads: without blocks, screens, and the tables that begin with these titles. */
export function wordsOf({ text }: Page, except: readonly (readonly string[])[]): number {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/^ {4}.*$/gm, '');
  const heads = except.map((titles) => `| ${titles.join(' | ')} |`);
  let isInTable = false;
  const lines = prose.split('\n').filter((line) => {
    isInTable = line.startsWith('|') && (isInTable || heads.some((head) => line.startsWith(head)));
    return !isInTable;
  });
  return lines
    .join(' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
