import { eventsOf } from '../../host/log/export-events.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/file-system.ts';
import { jsonText } from '../../lib/plain-text.ts';
import { idOfSession } from '../../sessions/places.ts';
import { transcriptOf } from '../../sessions/transcripts/export.ts';
import type { CommandContext } from '../command-context.ts';

/** `agent export NAME`: a conversation as lines for other programs. */
export async function exportCommand({ invocation, terminal }: CommandContext): Promise<number> {
  const { workspace, id, format = 'transcript' } = invocation;
  if (format !== 'transcript' && format !== 'events')
    throw new TardigradeError(
      'E_USAGE',
      `There is no form "${format}".`,
      'Give one of: transcript, events.',
    );
  const session = idOfSession(nodeFileSystem, workspace, id ?? '');
  const lines = format === 'events' ? eventsOf : transcriptOf;
  for (const line of lines(nodeFileSystem, workspace, session))
    terminal.stdout.write(`${jsonText(line)}\n`);
  return 0;
}
