/** The page of the library's names, made from its declarations. */
import { dirname, join } from 'node:path/posix';

export interface Entry {
  /** As a program imports it. */
  readonly door: string;
  /** What it exports, a source file with nothing but re-exports. */
  readonly source: string;
}

/** Reads a declaration file below `types/`, by its path without an ending. */
export type ReadTypes = (path: string) => string;

/** What a program can import, and the file that says so. */
export const ENTRIES: readonly Entry[] = [
  { door: 'tardigrade-agent', source: 'src/index.ts' },
  { door: 'tardigrade-agent/compat', source: 'src/compat.ts' },
];

interface Name {
  readonly name: string;
  /** As its own file calls it. */
  readonly from: string;
  readonly path: string;
  /** There may be a value of that name, which is not passed on. */
  readonly isType: boolean;
}

interface Declared {
  readonly name: string;
  readonly kind: 'value' | 'type';
  /** The declaration in one line. */
  readonly text: string;
  readonly about: string;
}

const HEAD = `# Every name of the library

Made from the declarations of the package by \`scripts/make-api-docs.ts\`. How the parts work together: [In your program](library.md).
`;

export function apiPage(entries: readonly Entry[], read: ReadTypes): string {
  const sections = entries.map(({ door, source }) => {
    const names = namesIn(source);
    const all = names.map((name) => inPublicNames(declared(name, read), names));
    const values = all.filter(({ kind }) => kind === 'value').sort(byName);
    const types = all.filter(({ kind }) => kind === 'type').sort(byName);
    const rows = types.map(({ name, about }) => `| \`${name}\` | ${cell(about)} |`);
    const table =
      rows.length === 0 ? [] : [['| type | what it is |', '|---|---|', ...rows].join('\n')];
    return [`## \`${door}\``, ...values.map(valueText), ...table].join('\n\n');
  });
  return `${HEAD}\n${sections.join('\n\n')}\n`;
}

/** A signature calls a type as a program imports it, also where its own file calls it otherwise. */
function inPublicNames(one: Declared, names: readonly Name[]): Declared {
  const publicName = new Map(names.map(({ from, name }) => [from, name]));
  return { ...one, text: one.text.replace(/\b\w+\b/g, (word) => publicName.get(word) ?? word) };
}

const byName = (a: Declared, b: Declared): number => a.name.localeCompare(b.name, 'en');
const cell = (text: string): string => text.replaceAll('|', '\\|');
const valueText = ({ name, text, about }: Declared): string =>
  `### ${name}\n\n    ${text}${about === '' ? '' : `\n\n${about}`}`;

function namesIn(source: string): readonly Name[] {
  return [...source.matchAll(/export (type )?\{([^}]*)\} from '([^']+)'/g)].flatMap(
    ([, allTypes, list = '', path = '']) =>
      list
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '')
        .map((each) => {
          const isType = allTypes !== undefined || each.startsWith('type ');
          const [from = '', name = from] = each.replace(/^type /, '').split(' as ');
          return { name, from, path: withoutEnding(path), isType };
        }),
  );
}

const withoutEnding = (path: string): string => path.replace(/^\.\//, '').replace(/\.[jt]s$/, '');

function declared({ name, from, path, isType }: Name, read: ReadTypes): Declared {
  const text = read(path);
  const start = new RegExp(
    `(?:/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*)?export (declare (?:function|const|class)|interface|type) ${from}\\b`,
  ).exec(text);
  if (start === null) return declared({ name, isType, ...passedOn(text, from, path) }, read);
  const [whole, comment = '', kind = ''] = start;
  const isValue = !isType && kind.startsWith('declare');
  const body = text.slice(start.index + whole.lastIndexOf('export '));
  const signature = isValue ? signatureOf(body) : '';
  return { name, kind: isValue ? 'value' : 'type', text: signature, about: aboutOf(comment) };
}

/** Where a file only passes a name on. */
function passedOn(text: string, from: string, path: string): Pick<Name, 'from' | 'path'> {
  const lists = [...text.matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from '([^']+)'/g)];
  const found = lists.find(([, list = '']) => new RegExp(`\\b${from}\\b`).test(list));
  if (found === undefined) throw new Error(`${path} declares no ${from}`);
  return { from, path: join(dirname(path), (found[2] ?? '').replace(/\.[jt]s$/, '')) };
}

/** Up to the `;` that ends it, or the brace of a class. */
function signatureOf(body: string): string {
  let depth = 0;
  let end = 0;
  for (; end < body.length; end += 1) {
    const character = body[end] ?? '';
    if ('({['.includes(character)) depth += 1;
    if (')}]'.includes(character)) depth -= 1;
    if (depth === 0 && character === ';') break;
    if (depth === 0 && character === '}' && body.startsWith('export declare class')) break;
  }
  return body
    .slice(0, end)
    .replace(/^export declare (?:function |const )?/, '')
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/\breadonly /g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function aboutOf(comment: string): string {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\*?\s?/, '').trim());
  return lines
    .join(' ')
    .replace(/\s+/g, ' ')
    .replace(/ ?@param (\S+)/g, ' `$1`:')
    .trim();
}
