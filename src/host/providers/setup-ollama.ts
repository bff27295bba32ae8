import { pullModel } from '../../llm/ollama/pull.ts';
import type { PullRequest } from '../engine-port.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { downloadReporter } from './download-reporter.ts';
import { ollamaAddress } from './ollama.ts';

/** Returns the address of the server that now has the model. */
export async function setupOllama(
  place: HostEnvironment,
  { model, host, report, everyMs, signal }: PullRequest,
): Promise<string> {
  const where = ollamaAddress(host, place);
  const { clock } = place;
  const onProgress = downloadReporter({ report, everyMs }, clock);
  await pullModel({ host: where, model, signal, clock, onProgress });
  return where;
}
