// Calls as Python: [f(a="x", b=1)], bare or between tokens, with keyword arguments that are literals.
import type { Candidate, Family } from './candidate.ts';

const BLOCKS = [
  /<\|tool_call_start\|>([\s\S]*?)(?:<\|tool_call_end\|>|$)/g,
  /<function_calls>([\s\S]*?)(?:<\/function_calls>|$)/g,
  /```tool_code\s*\n([\s\S]*?)```/g,
];

/** Without tokens only a list that is the whole answer counts: prose is full of parentheses. */
const WHOLE_ANSWER = /^\s*\[([\s\S]*)\]\s*$/;

export const pythonicCalls: Family = (text) => {
  const blocks = BLOCKS.flatMap((block) => [...text.matchAll(block)]);
  const whole = WHOLE_ANSWER.exec(text);
  if (blocks.length === 0 && whole) blocks.push(whole);
  return blocks.flatMap(({ 1: body = '', index }) => {
    const list = body.trim().replace(/^\[([\s\S]*)\]$/, '$1');
    return callsIn(list).map((call) => ({ ...call, at: index }));
  });
};

type PlacelessCall = Omit<Candidate, 'at'>;

/** All or nothing: a block with anything else in it is not a list of calls. */
function callsIn(body: string): readonly PlacelessCall[] {
  const calls: PlacelessCall[] = [];
  let rest = body.trim();
  while (rest !== '') {
    const head = /^([A-Za-z_][\w.]*)\(/.exec(rest);
    if (!head) return [];
    const read = readArguments(rest.slice(head[0].length));
    if (read === null) return [];
    calls.push({ name: head[1] ?? '', args: read.args, form: 'python', repaired: false });
    rest = read.rest.replace(/^[\s,;]+/, '');
  }
  return calls;
}

function readArguments(text: string): { args: Record<string, unknown>; rest: string } | null {
  const args: Record<string, unknown> = {};
  let rest = text.trimStart();
  while (!rest.startsWith(')')) {
    const key = /^([A-Za-z_]\w*)\s*=\s*/.exec(rest);
    if (!key) return null;
    const value = readLiteral(rest.slice(key[0].length));
    if (value === null) return null;
    args[key[1] ?? ''] = value.value;
    rest = value.rest.trimStart();
    if (rest.startsWith(',')) rest = rest.slice(1).trimStart();
    else if (!rest.startsWith(')')) return null;
  }
  return { args, rest: rest.slice(1) };
}

interface Literal {
  readonly value: unknown;
  readonly rest: string;
}

const STRING =
  /^(?:"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)')/;
const PLAIN = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|True|False|None|true|false|null)\b/;

function readLiteral(text: string): Literal | null {
  const string = STRING.exec(text);
  if (string) {
    const body = string[1] ?? string[2] ?? string[3] ?? string[4] ?? '';
    return { value: unescapeString(body), rest: text.slice(string[0].length) };
  }
  const plain = PLAIN.exec(text);
  if (plain) {
    const word = plain[0].toLowerCase().replace('none', 'null');
    return { value: JSON.parse(word), rest: text.slice(plain[0].length) };
  }
  return text.startsWith('[') ? readList(text) : null;
}

function readList(text: string): Literal | null {
  const values: unknown[] = [];
  let rest = text.slice(1).trimStart();
  while (!rest.startsWith(']')) {
    const item = readLiteral(rest);
    if (item === null) return null;
    values.push(item.value);
    rest = item.rest.trimStart();
    if (rest.startsWith(',')) rest = rest.slice(1).trimStart();
    else if (!rest.startsWith(']')) return null;
  }
  return { value: values, rest: rest.slice(1) };
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '\n': '',
};

const unescapeString = (body: string): string =>
  body.replace(/\\([\s\S])/g, (whole, character: string) => ESCAPES[character] ?? whole);
