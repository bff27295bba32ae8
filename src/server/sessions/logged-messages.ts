/** Reads the messages of a session that another program has logged, or that `agent export` wrote. */
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { Message } from '../../schema/model/messages.ts';
import { readMessages } from '../../sessions/transcripts/imported-messages.ts';
import { readBytes } from '../../workspace/files.ts';
import { ServerRefusal } from '../http/problem.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/** Skips a line that was cut off. Throws if there is no message. @param file absolute */
export function loggedMessagesIn(fs: FileSystem, file: string): readonly Message[] {
  if (fs.stat(file).size > MAX_BYTES)
    throw new ServerRefusal('E_TOO_LARGE', 'That log has more than 16 MB.', 'Give a shorter one.');
  const bytes = readBytes(fs, file, MAX_BYTES) ?? new Uint8Array();
  const text = Buffer.from(bytes).toString('utf8');
  const messages = readMessages(text, { onWarning: () => {} });
  if (messages.length > 0) return messages;
  throw new ServerRefusal(
    'E_BODY',
    'That file holds no message of a session.',
    'Give a log with lines of {timestamp, data}, or what an export wrote.',
  );
}
