import { everyNode, isSyntax, lineOf, type SourceFile, type Syntax } from './source-file.ts';

/** A text of the program: a string, a part of a template, or the pattern of a regular expression. */
export interface Words {
  readonly text: string;
  /** Where it stands in its file. */
  readonly at: number;
}

const SPECIFIED_BY = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
  'ImportExpression',
  'TSImportType',
]);

function wordsOf(node: Syntax): string {
  if (node.type === 'TemplateElement') {
    const value = node.value as { readonly cooked?: string; readonly raw: string };
    return value.cooked ?? value.raw;
  }
  if (node.type !== 'Literal') return '';
  const { regex } = node as { readonly regex?: { readonly pattern: string } };
  if (regex) return plainPattern(regex.pattern);
  return typeof node.value === 'string' ? node.value : '';
}

/** One text that a pattern matches, nearly: an ending may be written `\.[cm]?[jt]sx?`. */
const plainPattern = (pattern: string): string =>
  pattern
    .replace(/\\b/g, ' ')
    .replaceAll('\\', '')
    .replace(/\[[^\]]*\]\?|\(\?[:=!]|[()]/g, '')
    .replace(/\[([^\]])[^\]]*\]/g, '$1')
    .replace(/\w\?/g, '')
    .replaceAll('|', '|.');

/** Several rules ask the same of every file. */
const found = new WeakMap<SourceFile, readonly Words[]>();

/** Every text in a file, names of imported modules and comments left out. */
export function wordsIn(file: SourceFile): readonly Words[] {
  const known = found.get(file) ?? wordsOfAll(file);
  found.set(file, known);
  return known;
}

function wordsOfAll(file: SourceFile): readonly Words[] {
  const nodes = everyNode(file.program);
  const specifiers = new Set(
    nodes
      .filter((node) => SPECIFIED_BY.has(node.type) && isSyntax(node.source))
      .map((node) => node.source),
  );
  return nodes
    .filter((node) => !specifiers.has(node))
    .map((node) => ({ text: wordsOf(node), at: node.start }))
    .filter(({ text }) => text !== '');
}

/**
 * What only a language's own room may say: its name, its file endings, its test runners, and the
 * files and programs that belong to it.
 */
const OF_A_LANGUAGE: readonly RegExp[] = [
  /\bpython\d?\b|\bjavascript\b|\btypescript\b/i,
  /\.(?:py|pyc|[cm]?js|[cm]?ts|jsx|tsx)(?![\w(])/,
  /\bpytest\b|\bunittest\b|--test\b|\bconftest\b/,
  /__init__|__pycache__|node_modules|\.venv\b/,
  /\b(?:ruff|pip|npm|npx)\b|\bnode [A-Z./-]/,
];

export interface LanguageException {
  readonly where: RegExp;
  readonly what: RegExp;
}

/** What is not said of a language of the user's, but of ourselves or of a wire format. */
export const LANGUAGE_EXCEPTIONS: readonly LanguageException[] = [
  // `agent demo` plays a goal in one of two languages.
  {
    where: /^src\/(?:cli\/(?:commands|command-line|demo\/\w+)|options\/rows\/\w+)\.ts$/,
    what: /python|javascript|hello\.js|^pytest$/i,
  },
  // The engine beside the run is installed by npm and is a program of ours.
  {
    where: /^src\/(?:llm\/embedded|host)\//,
    what: /\bnpm\b|node_modules|check\.mjs|index\.js|embedded-child\.js/,
  },
  { where: /^src\/cli\/(?:fleet\/setup|demo\/fleet)\.ts$/, what: /\bnpm\b|^node_modules\// },
  // Where the SDK of an engine lies, and what of ours it bundles.
  {
    where: /^src\/(?:fleet\/temporal\/worker|cli\/fleet\/sides)\.ts$/,
    what: /^node_modules$|^temporal-workflow\.cjs$/,
  },
  // What packages of OpenTelemetry register under.
  { where: /^src\/host\/create-engine\.ts$/, what: /^opentelemetry\.js\.api\.1$/ },
  // It is itself a package of npm.
  { where: /^src\/cli\/update\//, what: /\bnpm\b|\bnpx\b|node_modules/ },
  // The piece of this program that is loaded first.
  { where: /^src\/cli\/process\/load-program\.ts$/, what: /^\.\/program\/start\.cjs$/ },
  // What browsers call the type of the page's program.
  { where: /^src\/server\/http\/page\.ts$/, what: /^text\/javascript;/ },
  // How the program may have been started.
  {
    where: /^src\/cli\/process\/program-name\.ts$/,
    what: /^npx$|^\/node_modules\/$|dist\/bin\.cjs\$?$/,
  },
  // Assets of the single program, which is built as CommonJS.
  {
    where: /^src\/cli\/process\/single\.ts$/,
    what: /^(?:embedded-child|program|tardigrade)\.cjs$/,
  },
];

const isExcepted = (path: string, text: string, { where, what }: LanguageException): boolean =>
  where.test(path) && what.test(text);

/** Texts outside `src/languages/` that say something of a language. */
export function languageWords(
  files: readonly SourceFile[],
  exceptions: readonly LanguageException[] = LANGUAGE_EXCEPTIONS,
): string[] {
  return files
    .filter(({ path }) => !path.startsWith('src/languages/'))
    .flatMap((file) =>
      wordsIn(file)
        .filter(({ text }) => OF_A_LANGUAGE.some((pattern) => pattern.test(text)))
        .filter(({ text }) => !exceptions.some((each) => isExcepted(file.path, text, each)))
        .map(
          ({ text, at }) =>
            `${file.path}:${lineOf(file, at)} says ${JSON.stringify(text.slice(0, 80))}`,
        ),
    );
}
