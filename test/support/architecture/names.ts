import type { SourceFile, Syntax } from './source-file.ts';
import { childrenOf, everyNode, isSyntax, lineOf } from './source-file.ts';

/** A twin: `x.ts` beside the folder `x/`, so that nobody knows which of them opens the room. */
export function twins(files: readonly SourceFile[]): string[] {
  const folders = new Set(files.flatMap(({ path }) => foldersOf(path)));
  return files
    .filter(({ path }) => folders.has(path.replace(/\.ts$/, '')))
    .map(({ path }) => `${path} stands beside a folder of its name`);
}

const foldersOf = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
};

/** Where a file may say the name of a provider: in its own folder, in the table, in `exceptions`. */
export function providersByName(
  files: readonly SourceFile[],
  providers: readonly string[],
  exceptions: readonly string[],
): string[] {
  return files
    .filter(({ path }) => !exceptions.includes(path))
    .flatMap((file) =>
      namesIn(file, new Set(providers))
        .filter(({ name }) => !file.path.startsWith(`src/llm/${name}/`))
        .map(({ name, line }) => `${file.path}:${line} knows ${name} by name`),
    );
}

/** String literals, keys of objects and plain templates that are a name as a whole. */
function namesIn(file: SourceFile, names: ReadonlySet<string>) {
  if (![...names].some((name) => file.text.includes(name))) return [];
  return everyNode(file.program).flatMap((node) => {
    const text = node.type === 'TemplateElement' ? rawOf(node.value) : node.value;
    if (node.type !== 'Literal' && node.type !== 'TemplateElement') return [];
    if (typeof text !== 'string' || !names.has(text)) return [];
    return [{ name: text, line: lineOf(file, node.start) }];
  });
}

const rawOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'raw' in value ? value.raw : undefined;

/** The words by which the engine itself is called: a driver's business, whoever leads. */
export const ENGINE_VERBS: readonly string[] = ['set_plan', 'mark_subtask_complete', 'give_up'];

/** What is on disk names tools, and languages say which tool does what a shell would. */
const TOOLS_MAY_BE_NAMED = /^src\/(tools|languages|schema)\//;
const VERBS_MAY_BE_NAMED = /^src\/((tools|drivers)\/|schema\/journal\/format-1\.ts$)/;

/**
 * Where a file knows a tool by name: in a string, also as a word of a sentence, as a key, or by
 * an import of the tool's own file, `src/tools/builtin/write-file.ts` for `write_file`.
 */
export function toolsByName(files: readonly SourceFile[], tools: readonly string[]): string[] {
  const others = tools.filter((name) => !ENGINE_VERBS.includes(name));
  return files.flatMap((file) => {
    const forbidden = [
      ...(TOOLS_MAY_BE_NAMED.test(file.path) ? [] : others),
      ...(VERBS_MAY_BE_NAMED.test(file.path) ? [] : ENGINE_VERBS),
    ];
    const imports = file.path.startsWith('src/tools/') ? [] : toolImportsIn(file, tools);
    return [...toolWordsIn(file, forbidden), ...imports];
  });
}

/** Those who make tools, records and questions; a fold says what a record means. */
const CAPABILITIES_MAY_BE_NAMED =
  /^src\/(?:schema|tools|drivers|llm\/tool-modes|context-manager)\//;

/** Where a file compares or names what a tool can be asked for: `src/schema/capability.ts` asks that. */
export function capabilitiesByName(
  files: readonly SourceFile[],
  capabilities: readonly string[],
): string[] {
  const names = new Set(capabilities);
  return files
    .filter(({ path }) => !CAPABILITIES_MAY_BE_NAMED.test(path))
    .flatMap((file) =>
      namesIn(file, names).map(
        ({ name, line }) => `${file.path}:${line} knows the capability ${name} by name`,
      ),
    );
}

function toolWordsIn(file: SourceFile, names: readonly string[]): string[] {
  if (!names.some((name) => file.text.includes(name))) return [];
  return everyNode(file.program).flatMap((node) => {
    const text = textOf(node);
    return names
      .filter((name) => text.includes(name) && text.match(/\w+/g)?.includes(name))
      .map((name) => `${file.path}:${lineOf(file, node.start)} knows the tool ${name} by name`);
  });
}

function textOf(node: Syntax): string {
  switch (node.type) {
    case 'TemplateElement':
      return String(rawOf(node.value));
    case 'Literal':
      return typeof node.value === 'string' ? node.value : '';
    case 'Identifier':
      return String(node.name);
    default:
      return '';
  }
}

const toolImportsIn = (file: SourceFile, tools: readonly string[]): string[] =>
  tools
    .map((name) => `src/tools/builtin/${name.replaceAll('_', '-')}.ts`)
    .filter((path) => file.imports.includes(path))
    .map((path) => `${file.path} imports ${path}: ask for the tool that does it`);

/** What a program that embeds this one imports: names that it knows are kept there. */
const PUBLIC_DOORS = /^src\/(?:index|compat)\.ts$/;
const TYPES: ReadonlySet<unknown> = new Set([
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'ClassDeclaration',
]);

interface ExportedName {
  readonly name: string;
  readonly path: string;
  readonly isType: boolean;
}

/**
 * A name that two files export, of which one at least is a type, so that a reader does not know which thing is meant.
 * A schema and its type stand in one file.
 */
export function typesNamedTwice(files: readonly SourceFile[]): string[] {
  const byName = new Map<string, ExportedName[]>();
  for (const one of files.flatMap(exportedBy))
    byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  return [...byName].flatMap(([name, all]) => {
    const paths = [...new Set(all.map(({ path }) => path))];
    const isUnclear = paths.length > 1 && all.some(({ isType }) => isType);
    return isUnclear ? [`${paths.join(' and ')} export ${name}`] : [];
  });
}

/** What a file declares and exports; what it only passes on has its name elsewhere. */
function exportedBy({ path, program }: SourceFile): readonly ExportedName[] {
  const statements = childrenOf(program);
  const named = (statement: Syntax) => {
    const isType = TYPES.has(statement.type);
    return declaredIn(statement).map((name) => ({ name, path, isType }));
  };
  const declared = statements.flatMap(named);
  return statements
    .filter(({ type, source }) => type === 'ExportNamedDeclaration' && source === null)
    .flatMap((statement) => {
      const listed = specifiersOf(statement).map(({ own }) => own);
      const inList = declared.filter(({ name }) => listed.includes(name));
      return [...childrenOf(statement).flatMap(named), ...inList];
    });
}

function declaredIn(statement: Syntax): readonly string[] {
  if (statement.type === 'VariableDeclaration') return childrenOf(statement).flatMap(declaredIn);
  return isSyntax(statement.id) ? [textOf(statement.id)] : [];
}

/** A type that a file of ours imports or passes on under a second name. */
export const typesRenamed = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => !PUBLIC_DOORS.test(path))
    .flatMap(({ path, program }) =>
      childrenOf(program)
        .filter(({ source }) => isSyntax(source) && String(source.value).startsWith('.'))
        .flatMap(specifiersOf)
        .filter(({ own, other }) => own !== other && /^[A-Z][a-z]/.test(own))
        .map(({ own, other }) => `${path} calls ${own} ${other}`),
    );

/** `own`: as the file calls it where it is declared. */
const specifiersOf = (statement: Syntax): readonly { own: string; other: string }[] =>
  childrenOf(statement).flatMap(({ imported, local, exported }) => {
    const [own, other] = isSyntax(imported) ? [imported, local] : [local, exported];
    return isSyntax(own) && isSyntax(other) ? [{ own: textOf(own), other: textOf(other) }] : [];
  });
