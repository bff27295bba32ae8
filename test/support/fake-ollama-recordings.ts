// The bodies a real Ollama 0.33 answered with, by the name of what was asked.
import recordings from '../fixtures/ollama/recordings-0.33.json' with { type: 'json' };

export type RecordingName = keyof typeof recordings;

export interface Recorded {
  readonly status: number;
  readonly body: string;
  readonly contentType: string | null;
}

/** Later recordings kept no content type; a stream is told by its lines. */
export function recorded(name: RecordingName): Recorded {
  const entry: { status: number; body: string; contentType?: string | null } = recordings[name];
  const isStream = entry.body.includes('\n{') || entry.body.endsWith('}\n');
  const contentType =
    entry.contentType === undefined
      ? isStream
        ? 'application/x-ndjson'
        : 'application/json; charset=utf-8'
      : entry.contentType;
  return { status: entry.status, body: entry.body, contentType };
}

/** The error a recording says, with another model's name in it. */
export const recordedFor = (name: RecordingName, from: string, model: string): Recorded => {
  const answer = recorded(name);
  return { ...answer, body: answer.body.replaceAll(from, model) };
};
