/** Parses the text of a settings file into a value, and knows the line of each part. */
import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { misuse, type TardigradeError } from '../../lib/errors.ts';

export type SettingPath = readonly (string | number)[];

export interface ConfigDocument {
  /** Absolute. */
  readonly file: string;
  readonly value: unknown;
  /** From 1; of the deepest part of the path that exists. */
  lineOf(path: SettingPath): number;
}

/** Throws E_USAGE with file and line for invalid JSON; comments and trailing commas are allowed. */
export function parseDocument(file: string, text: string): ConfigDocument {
  const plain = text.replace(/^\uFEFF/, '');
  const lineAt = (offset: number): number => plain.slice(0, offset).split('\n').length;
  const errors: ParseError[] = [];
  const root = treeOf(plain, errors);
  const [error] = errors;
  if (root === undefined || error !== undefined) {
    const line = error === undefined ? 1 : lineAt(error.offset);
    const what = error === undefined ? 'it is empty or too deep' : wordsOf(error);
    throw configFault(
      file,
      line,
      `This is not JSON: ${what}.`,
      'Mend that line, or put the file away. Comments and commas at the end of a list are fine.',
    );
  }
  const repeated = repeatedKey(root);
  if (repeated !== null)
    throw configFault(
      file,
      lineAt(repeated.offset),
      `"${repeated.value}" is set twice.`,
      'Leave one of them.',
    );
  const lineOf = (path: SettingPath): number => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = findNodeAtLocation(root, [...path.slice(0, length)]);
      // The name of a setting may stand on an earlier line than its value.
      if (node !== undefined)
        return lineAt((node.parent?.type === 'property' ? node.parent : node).offset);
    }
    return 1;
  };
  return { file, value: asValue(root), lineOf };
}

function treeOf(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    // The text is nested deeper than the stack allows.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** `PropertyNameExpected` as `property name expected`. */
const wordsOf = ({ error }: ParseError): string =>
  printParseErrorCode(error)
    .replace(/(?!^)[A-Z]/g, ' $&')
    .toLowerCase();

/** If two settings have the same name, it is unclear which one counts. */
function repeatedKey(node: Node): Node | null {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const key = node.type === 'object' ? child.children?.[0] : undefined;
    if (key !== undefined && seen.has(key.value)) return key;
    seen.add(key?.value ?? child);
    const found = repeatedKey(child);
    if (found !== null) return found;
  }
  return null;
}

/** Names such as `__proto__` are treated like any other. */
function asValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(asValue);
  if (node.type !== 'object') return node.value;
  const entries = (node.children ?? []).map(({ children = [] }): [string, unknown] => {
    const [key, value] = children;
    return [String(key?.value), value === undefined ? null : asValue(value)];
  });
  return Object.fromEntries(entries);
}

export const configFault = (
  file: string,
  line: number,
  what: string,
  hint: string,
): TardigradeError => misuse(`${file}:${line}: ${what}`, hint);
