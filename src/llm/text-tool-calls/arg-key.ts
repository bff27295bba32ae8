// GLM's calls: <tool_call>NAME<arg_key>k</arg_key><arg_value>v</arg_value></tool_call>.
import type { Family } from './candidate.ts';

const CALL =
  /<tool_call>\s*([\w.:-]+)\s*((?:<arg_key>[\s\S]*?<\/arg_value>\s*)+)(?:<\/tool_call>|$)/gi;
const ARGUMENT = /<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/gi;

export const argKeyCalls: Family = (text) =>
  [...text.matchAll(CALL)].map(({ 1: name = '', 2: body = '', index }) => ({
    name,
    at: index,
    args: Object.fromEntries(
      [...body.matchAll(ARGUMENT)].map(([, key = '', value = '']) => [key.trim(), value]),
    ),
    form: 'arg_key',
    repaired: false,
    untyped: true,
  }));
