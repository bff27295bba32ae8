import { parseOllamaHost } from '../llm/ollama/ollama-host.ts';
import { pullModel } from '../llm/ollama/pull.ts';
import { pullReporter } from './download-reporter.ts';
import type { PullRequest } from './engine-port.ts';
import type { HostEnvironment } from './host-environment.ts';

/** The address of the server that has the model now. */
export async function setupOllama(
  place: HostEnvironment,
  { model, host, report, everyMs, signal }: PullRequest,
): Promise<string> {
  const where = parseOllamaHost(host ?? place.env.OLLAMA_HOST);
  const { clock } = place;
  const onProgress = pullReporter(model, { report, everyMs }, clock);
  await pullModel({ host: where, model, signal, clock, onProgress });
  return where;
}
