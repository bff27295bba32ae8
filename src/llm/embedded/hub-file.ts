/** Pure: which file on Hugging Face a model's name means, and where it is stored here. */
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { judgePath } from '../../workspace/path-rules.ts';

export interface HubFile {
  readonly owner: string;
  readonly repository: string;
  /** With `/` between its segments. */
  readonly file: string;
}

interface ShortName {
  readonly file: string;
  /** Megabytes, for people; the server reports the exact size. */
  readonly megabytes: number;
}

const qwenCoder = (size: string): string =>
  `hf:Qwen/Qwen2.5-Coder-${size.toUpperCase()}-Instruct-GGUF/qwen2.5-coder-${size}-instruct-q4_k_m.gguf`;

/** Small models that were measured here or belong to the same family (docs/internals/measured.md). */
export const SHORT_NAMES: { readonly [name: string]: ShortName } = {
  'qwen2.5-coder-0.5b': { file: qwenCoder('0.5b'), megabytes: 491 },
  'qwen2.5-coder-1.5b': { file: qwenCoder('1.5b'), megabytes: 1117 },
  'qwen2.5-coder-3b': { file: qwenCoder('3b'), megabytes: 2105 },
  'qwen2.5-coder-7b': { file: qwenCoder('7b'), megabytes: 4683 },
};

export const DEFAULT_EMBEDDED_MODEL = 'qwen2.5-coder-1.5b';

const PREFIX = 'hf:';
const MAX_PARTS = 200;

/** True for a short name and for everything that begins with `hf:`. */
export const isHubName = (name: string): boolean =>
  name.startsWith(PREFIX) || Object.hasOwn(SHORT_NAMES, name);

/**
 * Reads `hf:OWNER/REPO/FILE.gguf` (the file may lie in folders) or a short name. `null` if it names no GGUF file, or no
 * file that can be stored on every platform.
 */
export function parseHubName(name: string): HubFile | null {
  const full = SHORT_NAMES[name]?.file ?? name;
  if (!full.startsWith(PREFIX)) return null;
  const parts = full.slice(PREFIX.length).split('/');
  const [owner = '', repository = '', ...rest] = parts;
  const isSound = parts.every((part) => /^[\w][\w.+-]*$/.test(part));
  if (!isSound || judgePath(parts.join('/')).kind !== 'ok') return null;
  if (rest.length === 0 || !/.\.gguf$/i.test(rest.at(-1) ?? '')) return null;
  return { owner, repository, file: rest.join('/') };
}

/** The name behind `embedded:`; the short name if there is one. */
export function hubName({ owner, repository, file }: HubFile): string {
  const full = `${PREFIX}${owner}/${repository}/${file}`;
  const short = Object.entries(SHORT_NAMES).find(([, known]) => known.file === full);
  return short?.[0] ?? full;
}

/** All files of a model that was split, in order; usually a single file. */
export function splitModelFiles(hub: HubFile): readonly HubFile[] {
  const match = /^(.*)-\d{5}-of-(\d{5})(\.gguf)$/i.exec(hub.file);
  const [, stem = '', total = '', ending = ''] = match ?? [];
  if (match === null || Number(total) < 1 || Number(total) > MAX_PARTS) return [hub];
  return Array.from({ length: Number(total) }, (_, index) => ({
    ...hub,
    file: `${stem}-${String(index + 1).padStart(5, '0')}-of-${total}${ending}`,
  }));
}

/** Below the user's data folder. */
export const modelsFolder = (dataFolder: string, platform: NodeJS.Platform): string =>
  pathsOf(platform).join(dataFolder, 'models');

/** The path of the complete, checked file. */
export function modelPath(hub: HubFile, dataFolder: string, platform: NodeJS.Platform): string {
  const folder = modelsFolder(dataFolder, platform);
  return pathsOf(platform).join(folder, hub.owner, hub.repository, ...hub.file.split('/'));
}

/** The file on Hugging Face from which a path below `modelsFolder` was downloaded; else `null`. */
export function hubFileAt(
  path: string,
  dataFolder: string,
  platform: NodeJS.Platform,
): HubFile | null {
  const below = pathsOf(platform).relative(modelsFolder(dataFolder, platform), path);
  return parseHubName(`${PREFIX}${below.replaceAll('\\', '/')}`);
}
