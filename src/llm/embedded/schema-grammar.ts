/** Pure: translates a JSON schema into GBNF, llama.cpp's grammar language. */
import { isRecord } from '../../lib/json-value.ts';
import type { JsonSchema } from '../../schema/model/turn.ts';

/** llama.cpp is slow with longer repetitions, or refuses them; zod checks the rest. */
const LONGEST_REPETITION = 1000;

const SHARED_RULES = {
  // At most one space: a model that may pretty-print spends three times the tokens.
  space: '" "?',
  char: String.raw`[^"\\\x00-\x1f\x7f] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4})`,
  integer: '"-"? ("0" | [1-9] [0-9]{0,15})',
  number: 'integer ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,3})?',
  value: 'object | array | string | number | "true" | "false" | "null"',
  string: String.raw`"\"" char* "\""`,
  object: '"{" (string ":" space value ("," space string ":" space value)*)? "}"',
  array: '"[" (value ("," space value)*)? "]"',
};

/**
 * A grammar for the values of `schema`, as far as GBNF can express it. Objects have their keys in the order
 * of `properties` and no others. Throws a TypeError for an unknown type.
 */
export function schemaGrammar(schema: JsonSchema): string {
  const rules = new Map<string, string>(Object.entries(SHARED_RULES));
  const root = expression(schema, 'root', rules);
  return [['root', root] as const, ...rules]
    .map(([name, body]) => `${name} ::= ${body}`)
    .join('\n');
}

function expression(schema: JsonSchema, name: string, rules: Map<string, string>): string {
  if ('const' in schema) return jsonLiteral(schema.const);
  if (Array.isArray(schema.enum)) return choice(schema.enum.map(jsonLiteral));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives)) {
    return choice(
      alternatives.map((one, index) => {
        const rule = `${name}-${index}`;
        rules.set(rule, expression(schemaAt(one, rule), rule, rules));
        return rule;
      }),
    );
  }
  if (Array.isArray(schema.type)) {
    return choice(
      schema.type.map((type) => expression({ ...schema, type }, `${name}-${type}`, rules)),
    );
  }
  switch (schema.type) {
    case 'object':
      return objectExpression(schema, name, rules);
    case 'array':
      return arrayExpression(schema, name, rules);
    case 'string':
      return stringExpression(schema);
    case 'integer':
    case 'number':
      return schema.type;
    case 'boolean':
      return '("true" | "false")';
    case 'null':
      return '"null"';
    case undefined:
      return 'value';
    default:
      throw new TypeError(`a schema of type ${String(schema.type)} at ${name} has no grammar`);
  }
}

function objectExpression(schema: JsonSchema, name: string, rules: Map<string, string>): string {
  if (schema.properties === undefined) return 'object';
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const members = Object.entries(schemaAt(schema.properties, name)).map(([key, value], index) => {
    const rule = `${name}-k${index}`;
    rules.set(rule, expression(schemaAt(value, rule), rule, rules));
    return { text: `${jsonLiteral(key)} ":" space ${rule}`, isRequired: required.has(key) };
  });
  if (members.length === 0) return '"{" "}"';
  return `"{" ${membersFrom(members, 0, false)} "}"`;
}

/** What may follow, given whether a member came before (so that a comma is due). */
function membersFrom(
  members: readonly { readonly text: string; readonly isRequired: boolean }[],
  at: number,
  isCommaDue: boolean,
): string {
  const member = members[at];
  if (member === undefined) return '';
  const comma = isCommaDue ? '"," space ' : '';
  const rest = membersFrom(members, at + 1, true);
  const present = `${comma}${member.text} ${rest}`.trim();
  if (member.isRequired) return present;
  // A second computation of the same rest would double with each member.
  const absent = isCommaDue ? rest : membersFrom(members, at + 1, false);
  if (absent === '') return `(${present})?`;
  // Once a comma is due, the rest is always the same, so an optional member needs no second copy of it.
  if (isCommaDue) return `(${comma}${member.text})? ${absent}`;
  return `(${present} | ${absent})`;
}

function arrayExpression(schema: JsonSchema, name: string, rules: Map<string, string>): string {
  const rule = `${name}-i`;
  rules.set(
    rule,
    schema.items === undefined ? 'value' : expression(schemaAt(schema.items, rule), rule, rules),
  );
  const least = countAt(schema.minItems, 0);
  const most = countAt(schema.maxItems, Number.POSITIVE_INFINITY);
  if (most === 0) return '"[" "]"';
  const more = repetition(`("," space ${rule})`, Math.max(0, least - 1), most - 1);
  const filled = `${rule} ${more}`.trim();
  return `"[" ${least === 0 ? `(${filled})?` : filled} "]"`;
}

function stringExpression(schema: JsonSchema): string {
  const least = countAt(schema.minLength, 0);
  const most = countAt(schema.maxLength, Number.POSITIVE_INFINITY);
  return String.raw`"\"" ${repetition('char', least, most)} "\""`;
}

function repetition(item: string, least: number, most: number): string {
  if (most === 0) return '';
  const from = Math.min(least, LONGEST_REPETITION);
  if (most > LONGEST_REPETITION) return from === 0 ? `${item}*` : `${item}{${from},}`;
  return `${item}{${from},${most}}`;
}

const choice = (alternatives: readonly string[]): string => `(${alternatives.join(' | ')})`;

function jsonLiteral(value: unknown): string {
  const escaped = JSON.stringify(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `"${escaped}"`;
}

function schemaAt(value: unknown, name: string): JsonSchema {
  if (isRecord(value)) return value as JsonSchema;
  if (value === true) return {};
  throw new TypeError(`the schema at ${name} is not an object`);
}

const countAt = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;
