// Recent failures, and whether they were repaired since. Pure.
import type { ToolCall } from '../../../schema/model/messages.ts';
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { RecentError } from '../../../schema/state-parts/run-facts.ts';
import { textHead } from '../messages/text.ts';
import { type Finished, finishedTarget, isCompletion, isGood } from '../work/finished.ts';

type Errors = readonly RecentError[];

const ERRORS_KEPT = 3;

const withError = (errors: Errors, error: RecentError): Errors =>
  [...errors, error].slice(-ERRORS_KEPT);

const markResolved = (errors: Errors, isIt: (error: RecentError) => boolean): Errors =>
  errors.some((error) => !error.isMended && isIt(error))
    ? errors.map((error) => (isIt(error) ? { ...error, isMended: true } : error))
    : errors;

/** Marks every failure as repaired: it lay on the way to work that is done now. */
export const markAllResolved = (errors: Errors): Errors => markResolved(errors, () => true);

const ofCommand = (cmd: string): string => `command ${cmd}`;

/** Groups errors: file errors by file, whichever tool failed; a completion only as such. */
function aboutOf(record: Finished, call: ToolCall | undefined): string {
  if (isCompletion(record)) return 'completion';
  const target = finishedTarget(record, call);
  if (record.does === 'runs_commands') return ofCommand(target);
  return record.touches === 'files' ? `file ${target}` : `${record.tool} ${target}`;
}

export function errorsAfter(errors: Errors, record: Finished, call: ToolCall | undefined): Errors {
  const { status, tool, seq } = record;
  if (status === 'not_run') return errors;
  const about = aboutOf(record, call);
  if (status === 'ok')
    return isGood(record) ? markResolved(errors, (error) => error.about === about) : errors;
  return withError(errors, { text: `${tool}: ${textHead(record.result)}`, about, seq });
}

/** @param head the beginning of its output */
export function errorsAfterCheck(
  errors: Errors,
  { check, passed, seq }: Located<RecordOf<'check_ran'>>,
  head: string,
): Errors {
  const about = 'cmd' in check ? ofCommand(check.cmd) : `file ${check.path}`;
  if (passed) return markResolved(errors, (error) => error.about === about);
  return withError(errors, { text: `check: ${head}`, about, seq });
}
