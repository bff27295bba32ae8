/** Pure: a log entry as a line for a terminal. */
import { inLine } from '../../lib/text/plain-text.ts';
import type { LogEntry, Severity } from '../../schema/events/log-entry.ts';

export interface LineLook {
  readonly hasColor: boolean;
  /** Uses arrows for a terminal without Unicode. */
  readonly isAscii: boolean;
}

const COLORS: { readonly [Key in Severity]: string } = {
  VRB: '\u001b[90m',
  TRC: '\u001b[90m',
  WRN: '\u001b[33m',
  ERR: '\u001b[31m',
};
const RESET = '\u001b[0m';

const ARROWS = { request: ['→', '->'], response: ['←', '<-'] } as const;

/** `[VRB] → [1.0] llm openai:gpt-4o: messages 3, 1247 bytes`. */
export function logLine(entry: LogEntry, { hasColor, isAscii }: LineLook): string {
  const { severity, direction, turn, subturn, type, remoteIdentifier, message } = entry;
  const arrow = ARROWS[direction][isAscii ? 1 : 0];
  const line = `[${severity}] ${arrow} [${turn}.${subturn}] ${type} ${inLine(remoteIdentifier)}: ${inLine(message)}`;
  return hasColor ? `${COLORS[severity]}${line}${RESET}` : line;
}

/** Warnings and errors always pass; other entries only if asked for. */
export const passesFilter = (
  { severity, type }: Pick<LogEntry, 'severity' | 'type'>,
  wanted: { readonly verbose: boolean; readonly llm: boolean; readonly mcp: boolean },
): boolean => (severity === 'VRB' ? wanted.verbose : severity === 'TRC' ? wanted[type] : true);
