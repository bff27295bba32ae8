/**
 * Pure: sets or removes one member in the text of a settings file. Every other character stays as it is: comments,
 * order, line ends, and commas at the end of a list.
 */
import { findNodeAtLocation, type Node, parseTree, visit } from 'jsonc-parser';
import { isRecord } from '../../lib/json-value.ts';

type MemberPath = readonly [string, ...string[]];

/** Sets a member; missing objects on its path are created. @param text an object in JSON, comments allowed */
export function withMember(text: string, path: MemberPath, value: unknown): string {
  const root = treeOf(text);
  const found = findNodeAtLocation(root, [...path]);
  const layout = layoutOf(text);
  if (found !== undefined) {
    const end = found.offset + found.length;
    const indent = indentAt(text, found.offset);
    return text.slice(0, found.offset) + written(value, indent, layout) + text.slice(end);
  }
  const depth = path.findLastIndex(
    (_, length) => findNodeAtLocation(root, path.slice(0, length))?.type === 'object',
  );
  const [name = '', ...inner] = path.slice(depth);
  const object = findNodeAtLocation(root, path.slice(0, depth)) ?? root;
  const whole = inner.reduceRight<unknown>((held, key) => ({ [key]: held }), value);
  return inserted(text, object, [name, whole], layout);
}

/** Removes a member and a comment after it on its line. @param text as for `withMember` */
export function withoutMember(text: string, path: MemberPath): string {
  const member = findNodeAtLocation(treeOf(text), [...path])?.parent;
  const members = member?.parent?.children ?? [];
  if (member === undefined) return text;
  const at = members.indexOf(member);
  const plain = withBlanks(text);
  const close = endOf(member.parent ?? member) - 1;
  const comma = commaIn(plain, endOf(member), members[at + 1]?.offset ?? close);
  const previous = members[at - 1];
  // If it is the last member, the comma before it is one too many.
  const spare =
    comma === null && previous !== undefined
      ? commaIn(plain, endOf(previous), member.offset)
      : null;
  const [from, to] = cutOf(text, plain, member.offset, comma === null ? endOf(member) : comma + 1);
  const before = text.slice(0, from);
  return (
    (spare === null ? before : before.slice(0, spare) + before.slice(spare + 1)) + text.slice(to)
  );
}

const treeOf = (text: string): Node => {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new Error('The text holds no JSON.');
  return root;
};

/** The same text with spaces in place of comments. */
function withBlanks(text: string): string {
  let plain = text;
  const onComment = (offset: number, length: number): void => {
    plain = plain.slice(0, offset) + ' '.repeat(length) + plain.slice(offset + length);
  };
  visit(text, { onComment });
  return plain;
}

const endOf = ({ offset, length }: Node): number => offset + length;

function commaIn(plain: string, from: number, to: number): number | null {
  const at = plain.indexOf(',', from);
  return at >= 0 && at < to ? at : null;
}

/** The range to cut: its whole lines if nothing else is on them. */
function cutOf(text: string, plain: string, from: number, to: number): readonly [number, number] {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const end = text.indexOf('\n', to);
  const isAlone =
    end >= 0 &&
    text.slice(start, from).trim() === '' &&
    plain.slice(to, end).trim() === '' &&
    !text.slice(to, end).includes('/*');
  return isAlone ? [start, end + 1] : [from, to];
}

interface Layout {
  readonly eol: string;
  /** One step of indentation. */
  readonly unit: string;
}

function layoutOf(text: string): Layout {
  return {
    eol: /\r?\n/.exec(text)?.[0] ?? '\n',
    unit: /^[\t ]+(?=")/m.exec(text)?.[0] ?? '  ',
  };
}

/** Inserts a member after the last member and its comment. */
function inserted(
  text: string,
  object: Node,
  [name, value]: readonly [string, unknown],
  layout: Layout,
): string {
  const { eol, unit } = layout;
  const close = endOf(object) - 1;
  const [first] = object.children ?? [];
  const last = object.children?.at(-1);
  const outer = indentAt(text, object.offset);
  const isOwnLine = first !== undefined && startsLine(text, first.offset);
  const indent = isOwnLine ? indentAt(text, first.offset) : outer + unit;
  const end = text.slice(0, close).trimEnd().length;
  const blank = text.slice(end, close);
  const isListed = last !== undefined && commaIn(withBlanks(text), endOf(last), close) !== null;
  const before =
    last === undefined || isListed
      ? text.slice(0, end)
      : `${text.slice(0, endOf(last))},${text.slice(endOf(last), end)}`;
  const member = `${JSON.stringify(name)}: ${written(value, indent, layout)}${isListed ? ',' : ''}`;
  const tail = blank.includes('\n') ? blank : eol + outer;
  return `${before}${eol}${indent}${member}${tail}${text.slice(close)}`;
}

const indentAt = (text: string, offset: number): string =>
  /^[\t ]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';

const startsLine = (text: string, offset: number): boolean =>
  text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';

/** Writes an object on one line, unless it holds another. */
function written(value: unknown, indent: string, layout: Layout): string {
  if (Array.isArray(value))
    return `[${value.map((one) => written(one, indent, layout)).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const { eol, unit } = layout;
  const isLong = Object.values(value).some(isRecord);
  const inner = isLong ? indent + unit : indent;
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${written(one, inner, layout)}`,
  );
  if (members.length === 0) return '{}';
  if (!isLong) return `{ ${members.join(', ')} }`;
  return `{${eol}${inner}${members.join(`,${eol}${inner}`)}${eol}${indent}}`;
}
