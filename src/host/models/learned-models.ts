/** What runs have learnt about models, in one file of the user's data folder. */
import * as z from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import {
  ensureDirectory,
  fileKindAt,
  readFileIfPresent,
  replaceFile,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import { Lesson, type Lessons } from '../../llm/models/lessons.ts';

const FILE = 'learned-models.json';
const MAX_MODELS = 200;
const MAX_BYTES = 256 * 1024;
/** Servers are updated and memory is added, so a lesson expires. */
const LASTS_MS = 30 * 24 * 60 * 60 * 1000;

const StoredModels = z.object({ format: z.literal(1), models: z.record(z.string(), z.unknown()) });
type Models = { readonly [key: string]: Lesson };

export interface LearnedModelsPorts {
  readonly fs: FileSystem;
  readonly clock: Pick<Clock, 'now'>;
  /** Absolute path of the user's data folder; created if missing. */
  readonly dataFolder: string;
}

/** An unreadable file counts as missing, and one that cannot be written stays as it is. */
export function learnedModels({ fs, clock, dataFolder }: LearnedModelsPorts): Lessons {
  const path = pathsOf(fs.platform).join(dataFolder, FILE);
  const kept = (): Models => orNull(() => read(fs, path, clock.now())) ?? {};
  return {
    of: (key) => {
      const models = kept();
      return Object.hasOwn(models, key) ? (models[key] ?? null) : null;
    },
    learn: (key, learnt) =>
      orNull(() => {
        const models = Object.entries(kept());
        const before = models.find(([one]) => one === key)?.[1];
        const others = models.filter(([one]) => one !== key).sort(([, a], [, b]) => b.at - a.at);
        const lesson: Lesson = { ...before, ...learnt, at: clock.now() };
        const all = [[key, lesson] as const, ...others].slice(0, MAX_MODELS);
        const text = JSON.stringify({ format: 1, models: Object.fromEntries(all) }, null, 2);
        ensureDirectory(fs, dataFolder);
        replaceFile(fs, path, Buffer.from(`${text}\n`));
      }),
  };
}

function read(fs: FileSystem, path: string, now: number): Models {
  if (fileKindAt(fs, path) !== 'file' || fs.stat(path).size > MAX_BYTES) return {};
  const bytes = readFileIfPresent(fs, path);
  const { models } = StoredModels.parse(JSON.parse(bytes?.toString('utf8') ?? ''));
  return Object.fromEntries(
    Object.entries(models).flatMap(([key, value]) => {
      const lesson = Lesson.safeParse(value);
      const isFresh = lesson.success && Math.abs(now - lesson.data.at) < LASTS_MS;
      return isFresh ? [[key, lesson.data]] : [];
    }),
  );
}
