/** The log code that the command line needs, as one bundle. */
export { nodeFileSystem } from '../../lib/files/file-system.ts';
export { EventLog } from './event-log.ts';
export { logLine, passesFilter } from './line.ts';
export { LogBook } from './log-book.ts';
export { logEvents } from './log-events.ts';
export { openLogFile } from './log-file.ts';
