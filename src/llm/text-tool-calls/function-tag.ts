// Qwen3-Coder's calls: <function=NAME><parameter=KEY>value</parameter></function>.
import { type Candidate, type Family, isRecord } from './candidate.ts';
import { readJson } from './read-json.ts';

const FUNCTION = /<function(?:=|\s+name=)"?([\w.:-]+)"?\s*>([\s\S]*?)(?:<\/function>|$)/gi;
const PARAMETER = /<parameter(?:=|\s+name=)"?([\w.-]+)"?\s*>([\s\S]*?)<\/parameter>/gi;

export const functionTagCalls: Family = (text) =>
  [...text.matchAll(FUNCTION)].flatMap(({ 1: name = '', 2: body = '', index }): Candidate[] => {
    const parameters = [...body.matchAll(PARAMETER)].map(
      ([, key = '', value = '']) => [key, withoutFraming(value)] as const,
    );
    if (parameters.length > 0 || body.trim() === '') {
      const args = Object.fromEntries(parameters);
      return [{ name, args, at: index, form: 'function tag', repaired: false, untyped: true }];
    }
    const read = readJson(body);
    return read !== null && isRecord(read.value)
      ? [{ name, args: read.value, at: index, form: 'function tag', repaired: read.repaired }]
      : [];
  });

/** The form puts a value on lines of its own; the two line breaks around it are not part of it. */
const withoutFraming = (value: string): string => value.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
