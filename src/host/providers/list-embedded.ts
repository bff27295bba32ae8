import { join } from 'node:path';
import { adviceIn } from '../../lib/errors.ts';
import { fileKindAt } from '../../lib/files/durable-files.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import { readGguf } from '../../llm/embedded/gguf.ts';
import { hubFileAt, hubName, modelsFolder } from '../../llm/embedded/hub-file.ts';
import { isEmbeddedInstalled } from '../../llm/embedded/installed.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { FIRST_EMBEDDED } from '../models/first-model.ts';
import { dataFolderOf } from '../user/user-folders.ts';
import type { ListedModel, Listing } from './provider-row.ts';

/** How many folders deep files are looked for: owner, repository, and folders inside it. */
const DEEPEST = 6;
const FIRST_MODEL = { next: FIRST_EMBEDDED.hint, ...adviceIn(FIRST_EMBEDDED) };
const LATER_PART = /-(?!00001)\d{5}-of-\d{5}\.gguf$/i;

/** The GGUF files in the user's data folder: downloaded ones, and files that the user put there. */
export function listEmbedded(place: HostEnvironment): Listing {
  const dataFolder = dataFolderOf(place);
  const where = modelsFolder(dataFolder, place.platform);
  const models = ggufFiles(where, DEEPEST).map((path): ListedModel => {
    const hub = hubFileAt(path, dataFolder, place.platform);
    return {
      name: `embedded:${hub === null ? path : hubName(hub)}`,
      contextWindow: orNull(() => readGguf(nodeFileSystem, path).contextLength),
      capabilities: { tools: false, schema: true, thinking: false },
      price: 'free',
    };
  });
  if (!isEmbeddedInstalled(nodeFileSystem, dataFolder))
    return { where, models, problem: 'the engine is not installed', ...FIRST_MODEL };
  if (models.length > 0) return { where, models, problem: '', next: '' };
  return { where, models, problem: 'no model is downloaded', ...FIRST_MODEL };
}

function ggufFiles(folder: string, depth: number): readonly string[] {
  if (depth === 0 || fileKindAt(nodeFileSystem, folder) !== 'directory') return [];
  return nodeFileSystem
    .readdir(folder)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (/\.gguf$/i.test(name)) return LATER_PART.test(name) ? [] : [path];
      return ggufFiles(path, depth - 1);
    });
}
