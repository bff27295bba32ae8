import { plannableOf } from '../../decompose/plan-schema.ts';
import { planBody } from '../../decompose/plan-text/write-plan.ts';
import { misuse } from '../../lib/errors.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { everyBuiltinTool } from '../../tools/registry.ts';
import { runMeant } from '../chat/export-page.ts';
import type { CommandContext } from '../command-context.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { oneLine } from '../render/text/text.ts';
import { templatesOf } from './find.ts';
import { templateOf } from './template.ts';

/** `agent export NUMBER --format template`: prints the plan of a finished run as a template. */
export async function exportTemplate(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const run = runMeant(context);
  const state = engine.readRun(invocation.workspace, run.id);
  if (state === null || state.plan === null || state.ended === null)
    throw usageError(
      `Run ${invocation.id} has no finished plan.`,
      `See how far it is: ${AGENT} status ${invocation.id}`,
    );
  const wants = state.plan.answer_only === true || state.wants === 'answer';
  const body = planBody(state.plan, plannableOf(everyBuiltinTool()));
  const head = [`description: ${oneLine(state.goal)}`, ...(wants ? ['wants: answer'] : [])];
  const text = ['---', ...head, '---', body].join('\n');
  const read = templateOf('saved', '', text);
  if ('why' in read) throw misuse('This plan cannot be a template.', read.why);
  if (terminal.toFile === undefined) terminal.stdout.write(text);
  else terminal.toFile(text);
  const { folder } = templatesOf(terminal);
  terminal.stderr.write(
    `Keep it as NAME.md in ${folder}; then: ${terminal.program} ${longFlag(OPTIONS.template)} NAME\n`,
  );
  return 0;
}
