/** Keeps what a run learns about its model for the next run. */
import type { ModelKnowledge } from '../../drivers/choose-driver.ts';
import type { Candidate } from '../../llm/failover/candidate.ts';
import { type Learnt, type Lessons, lessonKey } from '../../llm/models/lessons.ts';
import type { ModelInfo } from '../../llm/provider.ts';
import { settingsOf } from '../../steps/select.ts';
import type { RunPorts } from '../run-ports.ts';

export type LearnPort = Pick<RunPorts, 'context' | 'lessons'>;

/** Stores knowledge about the model in use before the run acts on it. */
export const learn = ({ context, lessons }: LearnPort, learnt: Learnt): void =>
  lessons.learn(lessonKey(settingsOf(context.state)), learnt);

/** Everything that the choice of a driver depends on. */
export function knowledgeOf(
  lessons: Lessons,
  candidate: Candidate,
  info: ModelInfo,
): ModelKnowledge {
  const { provider, baseUrl, contextWindow: requested } = candidate;
  const { model, digest } = info;
  const lesson = lessons.of(lessonKey({ provider: provider.name, model, digest, baseUrl }));
  return { info, requested, lesson };
}
