import {
  childrenOf,
  FUNCTIONS,
  isSyntax,
  lineOf,
  type SourceFile,
  type Syntax,
} from './source-file.ts';

const DECLARATIONS = new Set([
  'VariableDeclarator',
  'FunctionDeclaration',
  'ImportSpecifier',
  'ImportDefaultSpecifier',
  'ImportNamespaceSpecifier',
]);

const nameOf = (node: unknown): string =>
  isSyntax(node) && node.type === 'Identifier' ? String(node.name) : '';

/** Names bound by a pattern: an identifier, or what stands inside destructuring; a default value binds none. */
function boundNames(pattern: unknown): string[] {
  if (!isSyntax(pattern) || pattern.type.startsWith('TS')) return [];
  switch (pattern.type) {
    case 'Identifier':
      return [nameOf(pattern)];
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'Property':
      return boundNames(pattern.value);
    default:
      return childrenOf(pattern).flatMap(boundNames);
  }
}

/** Adds the names declared in a function or file itself, not in the functions within it. */
function addDeclaredIn(node: Syntax, names: Set<string>): void {
  for (const child of childrenOf(node)) {
    if (DECLARATIONS.has(child.type))
      for (const name of boundNames(child.id ?? child.local)) names.add(name);
    if (!FUNCTIONS.has(child.type)) addDeclaredIn(child, names);
  }
}

interface GlobalUse {
  /** `process.exit`, `Date.now`, `new Date`, `console.log`. */
  readonly what: string;
  /** Where it stands in its file. */
  readonly at: number;
}

/** Names of a function, and of all that it stands in. */
interface Scope {
  readonly names: ReadonlySet<string>;
  readonly around: Scope | null;
}

const isKnown = (name: string, scope: Scope | null): boolean =>
  scope !== null && (scope.names.has(name) || isKnown(name, scope.around));

/** All that the rules forbid; a file that holds none of these words is not walked. */
const GLOBALS = /\b(?:console|crypto|Date|Math|performance|process)\b/;

/** Several rules ask the same of every file. */
const found = new WeakMap<SourceFile, readonly GlobalUse[]>();

/** Members read from global objects, and argument-less `new Date()`; local names of the same spelling do not count. */
function globalUses(file: SourceFile): readonly GlobalUse[] {
  const known = found.get(file);
  if (known !== undefined) return known;
  const uses: GlobalUse[] = [];
  found.set(file, uses);
  if (!GLOBALS.test(file.text)) return uses;
  const visit = (node: Syntax, around: Scope | null): void => {
    let scope = around;
    if (FUNCTIONS.has(node.type) || node.type === 'Program') {
      const names = new Set([node.params].flat().flatMap(boundNames));
      addDeclaredIn(node, names);
      scope = { names, around };
    }
    const what = describe(node);
    if (what !== '') {
      const [object = ''] = what.replace('new ', '').split('.');
      if (!isKnown(object, scope)) uses.push({ what, at: node.start });
    }
    for (const child of childrenOf(node)) visit(child, scope);
  };
  visit(file.program, null);
  return uses;
}

function describe(node: Syntax): string {
  if (node.type === 'NewExpression' && nameOf(node.callee) === 'Date') {
    return [node.arguments].flat().length === 0 ? 'new Date' : '';
  }
  if (node.type !== 'MemberExpression') return '';
  const object = nameOf(node.object);
  return object ? `${object}.${nameOf(node.property) || '[…]'}` : '';
}

/** Uses of globals that `forbidden` names, apart from `exceptions` (path → what). */
export function forbiddenGlobals(
  files: readonly SourceFile[],
  forbidden: RegExp,
  exceptions: { readonly [path: string]: RegExp } = {},
): string[] {
  return files.flatMap((file) =>
    globalUses(file)
      .filter(({ what }) => forbidden.test(what) && !exceptions[file.path]?.test(what))
      .map(({ what, at }) => `${file.path}:${lineOf(file, at)} uses ${what}`),
  );
}
