import { createChatHost } from '../../host/chat-host.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { jsonText } from '../../lib/plain-text.ts';
import type { CommandContext } from '../command-context.ts';

/** `agent export NAME`: a conversation as lines for other programs. */
export async function exportCommand({ invocation, terminal }: CommandContext): Promise<number> {
  const { workspace, id, format } = invocation;
  if (format !== null && format !== 'transcript' && format !== 'events')
    throw new TardigradeError(
      'E_USAGE',
      `There is no form "${format}".`,
      'Give one of: transcript, events.',
    );
  const host = createChatHost(terminal);
  const lines = format === 'events' ? host.events : host.transcript;
  for (const line of lines(workspace, id ?? '')) terminal.stdout.write(`${jsonText(line)}\n`);
  return 0;
}
