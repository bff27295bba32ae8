/** What a model sees of a conversation that an earlier build left behind. */
import { readFileSync } from 'node:fs';
import { serve } from './e2e-model.ts';
import type { Agent, Answered } from './format-1-observed.ts';
import type { RecordedTalk } from './format-2.ts';

export const linesOf = (file: string): readonly string[] =>
  readFileSync(file, 'utf8').trimEnd().split('\n');

/** Goes on with the conversation; `bodies` are the requests as they went over the wire. */
export async function talkIn(
  agent: Agent,
  folder: string,
  { resume, model }: Pick<RecordedTalk, 'resume' | 'model'>,
): Promise<Answered & { readonly bodies: readonly string[] }> {
  const server = await serve(model);
  try {
    const answered = await agent(
      [...resume, '--model', 'qwen2.5-coder:1.5b', '--host', server.url],
      folder,
    );
    return { ...answered, bodies: [...server.chats] };
  } finally {
    await server.close();
  }
}
