/** What the command line needs of the logs, in one piece. */
export { nodeFileSystem } from '../../lib/files/file-system.ts';
export { EventLog } from './event-log.ts';
export { logLine, passesFilter } from './line.ts';
export { LogBook } from './log-book.ts';
export { logEvents } from './log-events.ts';
export { openLogFile } from './log-file.ts';
