/** Opens the logs that a command line asks for; loaded only if it asks for one. */
import { resolve } from 'node:path';
import type { LogSink } from '../host/log/sink.ts';
import type { RunEvent } from '../schema/events/events.ts';
import type { Invocation } from './command-line/invocation.ts';
import type { Terminal } from './process/terminal.ts';
import { speaksUnicode, wantsColor } from './render/text/style.ts';

export interface Logs {
  observer(): (event: RunEvent) => void;
  /** The events of a conversation that replaces another go to a file of their own: `FILE.2`. */
  nextFile(): void;
  close(): void;
  /** Files that no work may touch; each next file becomes one of them. */
  readonly files: readonly string[];
}

const NONE: Logs = {
  observer: () => () => {},
  nextFile: () => {},
  close: () => {},
  files: [],
};

type LogOptions = Pick<Invocation, 'verbose' | 'traceLlm' | 'traceMcp' | 'log' | 'accounting'>;

/** Whether log lines appear between the lines of the screen. */
export const printsLog = ({ verbose, traceLlm, traceMcp }: LogOptions): boolean =>
  verbose === true || traceLlm === true || traceMcp === true;

/** Throws E_USAGE if a file is not writable, before a model is asked. */
export async function openLogs(
  invocation: LogOptions,
  terminal: Pick<Terminal, 'stderr' | 'env' | 'platform' | 'clock' | 'cwd'>,
  warn: (text: string) => void,
  print = (line: string): void => void terminal.stderr.write(`${line}\n`),
): Promise<Logs> {
  const { verbose = false, traceLlm = false, traceMcp = false, log, accounting } = invocation;
  if (!printsLog(invocation) && log === undefined && accounting === undefined) return NONE;
  const { LogBook, EventLog, logEvents, logLine, passesFilter, openLogFile, nodeFileSystem } =
    await import('../host/log/log.ts');
  const { stderr, env, platform, clock, cwd } = terminal;
  const files: string[] = [];
  const open = (file: string) => {
    files.push(resolve(cwd, file));
    return openLogFile(resolve(cwd, file), { fs: nodeFileSystem, warn, displayName: file });
  };
  const costs = accounting === undefined ? null : open(accounting);
  const look = {
    hasColor: wantsColor(env, stderr.isTerminal),
    isAscii: !speaksUnicode(env, platform),
  };
  const traces = { llm: traceLlm, mcp: traceMcp };
  const wanted = { verbose, ...traces };
  const now = (): number => clock.now();
  const book = new LogBook({
    now,
    traces,
    onLog: (entry) => {
      if (printsLog(invocation) && passesFilter(entry, wanted)) print(logLine(entry, look));
    },
    onAccounting: (entry) => costs?.write(entry),
  });
  const events: ReturnType<typeof open>[] = [];
  const eventsIn = (path: string): LogSink => {
    const file = open(path);
    events.push(file);
    return new EventLog({ now, write: (record) => file.write(record) });
  };
  let sinks = [book, ...(log === undefined ? [] : [eventsIn(log)])];
  return {
    observer: () => logEvents(sinks),
    nextFile: () => {
      if (log !== undefined) sinks = [book, eventsIn(`${log}.${events.length + 1}`)];
    },
    close: () => {
      for (const file of events) file.close();
      costs?.close();
    },
    files,
  };
}
