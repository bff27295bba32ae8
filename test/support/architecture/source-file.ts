import { posix } from 'node:path';
import { parseSync } from 'vite';

/** A node of the syntax tree, as far as the rules look at it. */
export interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export interface SourceFile {
  /** From the project's root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly program: Syntax;
  /** What it imports or re-exports, types included: project paths for relative ones, else names. */
  readonly imports: readonly string[];
}

export function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

export const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

/** What lies below a node, in the order of the text. */
export function childrenOf(node: Syntax): readonly Syntax[] {
  const children: Syntax[] = [];
  for (const name in node) {
    const value = node[name];
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const one of value) if (isSyntax(one)) children.push(one);
    } else if (isSyntax(value)) children.push(value);
  }
  return children;
}

/** Every rule walks every file: each is walked once. */
const walked = new WeakMap<Syntax, readonly Syntax[]>();

/** The node and all below it, parents first, in the order of the text. */
export function everyNode(node: Syntax): readonly Syntax[] {
  const known = walked.get(node);
  if (known) return known;
  const nodes: Syntax[] = [];
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    nodes.push(next);
    const children = childrenOf(next);
    for (let at = children.length - 1; at >= 0; at -= 1) open.push(children[at] as Syntax);
  }
  walked.set(node, nodes);
  return nodes;
}

export function lineOf(file: SourceFile, offset: number): number {
  return file.text.slice(0, offset).split('\n').length;
}

const literalOf = (value: unknown): string | null =>
  isSyntax(value) && value.type === 'Literal' && typeof value.value === 'string'
    ? value.value
    : null;

const SPECIFIERS = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
  'ImportExpression',
  'TSImportType',
]);

/** Parsed when a rule first asks for its tree: of most files of tests none does. */
export function sourceFile(path: string, text: string): SourceFile {
  let program: Syntax | undefined;
  let imports: readonly string[] | undefined;
  return {
    path,
    text,
    get program() {
      program ??= parsed(path, text);
      return program;
    },
    get imports() {
      imports ??= importsOf(path, this.program);
      return imports;
    },
  };
}

function parsed(path: string, text: string): Syntax {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  return program as unknown as Syntax;
}

function importsOf(path: string, program: Syntax): readonly string[] {
  const imports = everyNode(program)
    .filter((node) => SPECIFIERS.has(node.type))
    .map((node) => literalOf(node.source))
    .filter((specifier) => specifier !== null)
    .map((specifier) =>
      specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier,
    );
  return [...new Set(imports)];
}
