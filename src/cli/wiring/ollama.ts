import { parseOllamaHost } from '../../llm/ollama/ollama-host.ts';
import { pullModel } from '../../llm/ollama/pull.ts';
import type { PullRequest } from '../engine-port.ts';
import type { Terminal } from '../terminal.ts';
import { pullReporter } from './download-reporter.ts';

/** The address of the server that has the model now. */
export async function setupOllama(
  terminal: Terminal,
  { model, host, report, everyMs, signal }: PullRequest,
): Promise<string> {
  const where = parseOllamaHost(host ?? terminal.env.OLLAMA_HOST);
  const { clock } = terminal;
  const onProgress = pullReporter(model, { report, everyMs }, clock);
  await pullModel({ host: where, model, signal, clock, onProgress });
  return where;
}
