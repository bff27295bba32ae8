/** One run of the built `agent` in a folder of its own, seen from outside. */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { JournalRecord } from '../src/schema/records.ts';
import { endTree } from './programs.ts';
import { promptCounter } from './prompt-bytes.ts';

export interface AgentRun {
  /** `null` when it was ended at its time limit or by a signal. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly seconds: number;
  readonly rounds: number;
  readonly turns: number;
  readonly tokensIn: number;
  readonly tokensCached: number;
  readonly tokensOut: number;
  readonly promptBytes: number;
  readonly answer: string | null;
  /** Changes that the run made and keeps out of the folder until somebody applies them. */
  readonly isWithheld: boolean;
  /** The ending and its reason in the agent's own words. */
  readonly said: string;
}

export interface AgentCommand {
  readonly agent: string;
  readonly args: readonly string[];
  readonly workspace: string;
  readonly timeoutMs: number;
  /** Gets all of stdout and stderr. */
  readonly logFile: string;
}

interface Seen {
  rounds: number;
  turns: number;
  input: number;
  cached: number;
  output: number;
  answer: string | null;
  isWithheld: boolean;
  said: string;
}

export function runAgent(command: AgentCommand): Promise<AgentRun> {
  return new Promise((resolve) => {
    const started = performance.now();
    const log = createWriteStream(command.logFile);
    const child = spawn(process.execPath, [command.agent, ...command.args], {
      cwd: command.workspace,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const seen: Seen = {
      rounds: 0,
      turns: 0,
      input: 0,
      cached: 0,
      output: 0,
      answer: null,
      isWithheld: false,
      said: '',
    };
    const prompts = promptCounter();
    let timedOut = false;
    let lastError = '';
    const timer = setTimeout(() => {
      timedOut = true;
      endTree(child);
    }, command.timeoutMs);
    createInterface({ input: child.stdout }).on('line', (line) => {
      log.write(`${line}\n`);
      note(line, seen, prompts.add);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log.write(text);
      lastError = (lastError + text).slice(-400);
    });
    child.on('error', (error) => {
      lastError = error.message;
    });
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      log.end();
      resolve({
        exitCode,
        timedOut,
        seconds: (performance.now() - started) / 1000,
        rounds: seen.rounds,
        turns: seen.turns,
        tokensIn: seen.input,
        tokensCached: seen.cached,
        tokensOut: seen.output,
        promptBytes: prompts.total(),
        answer: seen.answer,
        isWithheld: seen.isWithheld,
        said: timedOut ? 'ended at its time limit' : seen.said || lastError.trim(),
      });
    });
  });
}

/** Takes from one line of `--json` what is counted; a line of another kind is passed over. */
export function note(
  line: string,
  seen: Seen,
  onRecord: (record: JournalRecord & { readonly seq: number }) => void,
): void {
  const event = parse(line);
  if (event === null) return;
  if (event.type === 'result') {
    const { ending, detail, answer, error } = event;
    seen.said = [ending, detail, error]
      .filter((part) => typeof part === 'string' && part)
      .join(': ');
    if (typeof answer === 'string') seen.answer = answer;
    seen.isWithheld = typeof event.withheld === 'object' && event.withheld !== null;
    return;
  }
  if (event.type !== 'record') return;
  const record = event.record as JournalRecord & { readonly seq: number };
  onRecord(record);
  if (record.type === 'round_started') seen.rounds = Math.max(seen.rounds, record.n);
  if (record.type === 'turn_finished') {
    seen.turns += 1;
    seen.input += record.usage.input;
    seen.cached += record.usage.cacheRead;
    seen.output += record.usage.output + record.usage.thinking;
  }
}

function parse(line: string): { readonly [key: string]: unknown } | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
