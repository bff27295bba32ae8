import { exportedEvents } from '../../host/log/export-events.ts';
import { misuse } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { jsonText } from '../../lib/text/plain-text.ts';
import { idOfSession } from '../../sessions/places.ts';
import { transcriptOf } from '../../sessions/transcripts/export.ts';
import { sessionLogOf } from '../../sessions/transcripts/write-session-log.ts';
import type { CommandContext } from '../command-context.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { exportPage } from './export-page.ts';

const FORMS = { transcript: transcriptOf, events: exportedEvents, session: sessionLogOf } as const;

/** `agent export NAME`: prints a conversation as lines for other programs. */
export async function exportCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const { workspace, id, format = 'transcript' } = invocation;
  if (format === 'html') return exportPage(context);
  if (format === 'template') return (await import('../templates/save.ts')).exportTemplate(context);
  const lines = Object.hasOwn(FORMS, format) ? FORMS[format as keyof typeof FORMS] : null;
  if (lines === null)
    throw misuse(
      `There is no form "${format}".`,
      `Give one of: ${[...Object.keys(FORMS), 'html', 'template'].join(', ')}.`,
    );
  if (engine.listRuns(workspace).some(({ number }) => String(number) === id))
    throw usageError(
      `${id} is a run, and this form is one of conversations.`,
      `${AGENT} export ${id} --format html makes a page of it, and --format template prints its plan.`,
    );
  const session = idOfSession(nodeFileSystem, workspace, id ?? '');
  for (const line of lines(nodeFileSystem, workspace, session))
    terminal.stdout.write(`${jsonText(line)}\n`);
  return 0;
}
