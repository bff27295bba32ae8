/** Says who allowed or refused a call, and where. Pure. */
import type { RecordOf } from '../../schema/records.ts';

const DOORS: { readonly [door: string]: string } = {
  terminal: 'in its terminal',
  command: 'by a command in a terminal',
  attach: 'from another terminal',
  page: 'through this server',
  editor: 'in an editor',
  mcp: 'by a program over MCP',
  option: 'by an option of its start',
  library: 'by the program that runs it',
};

const SCOPES = { call: 'once', run: 'for this run', here: 'always in this folder' } as const;

export function sayAnswer(record: RecordOf<'approval_given'>): string {
  const { allowed, scope = 'call', rule, by, door, why } = record;
  const scopeText = allowed ? `Allowed ${SCOPES[scope]}` : 'Refused';
  const who = by === 'rule' ? 'by a rule' : by === 'engine' ? 'by Tardigrade itself' : '';
  const where = door === undefined ? who : (DOORS[door] ?? 'by a way that this page does not know');
  const ruleText = rule === undefined || scope === 'call' ? '' : `: ${rule}`;
  // If a person says yes, the reason is a default text of the program.
  const reason = why === '' || (allowed && by === 'person') ? '' : ` (${why})`;
  return `${[scopeText, where].filter(Boolean).join(' ')}${ruleText}${reason}`;
}
