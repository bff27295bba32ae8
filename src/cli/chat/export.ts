import { eventsOf } from '../../host/log/export-events.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { jsonText } from '../../lib/text/plain-text.ts';
import { idOfSession } from '../../sessions/places.ts';
import { transcriptOf } from '../../sessions/transcripts/export.ts';
import type { CommandContext } from '../command-context.ts';
import { exportPage } from './export-page.ts';

/** `agent export NAME`: a conversation as lines for other programs. */
export async function exportCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal } = context;
  const { workspace, id, format = 'transcript' } = invocation;
  if (format === 'html') return exportPage(context);
  if (format !== 'transcript' && format !== 'events')
    throw new TardigradeError(
      'E_USAGE',
      `There is no form "${format}".`,
      'Give one of: transcript, events, html.',
    );
  const session = idOfSession(nodeFileSystem, workspace, id ?? '');
  const lines = format === 'events' ? eventsOf : transcriptOf;
  for (const line of lines(nodeFileSystem, workspace, session))
    terminal.stdout.write(`${jsonText(line)}\n`);
  return 0;
}
