/** Pure: combines what a person sent from an editor into one message with text and images. */
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { isInside, pathsOf } from '../../lib/files/absolute-paths.ts';

/** Throws E_USAGE for content that no message can hold. @param workspace absolute; paths inside it become relative */
export function promptIn(
  blocks: readonly ContentBlock[],
  workspace: string,
  platform: NodeJS.Platform,
): { readonly text: string; readonly images: readonly Uint8Array[] } {
  const named = (uri: string): string => fileName(uri, workspace, platform);
  const files: string[] = [];
  const images: Uint8Array[] = [];
  const words = blocks.map((block) => {
    switch (block.type) {
      case 'text':
        return block.text;
      case 'resource_link':
        return ` ${named(block.uri)} `;
      case 'resource': {
        const { resource } = block;
        if (!('text' in resource)) throw cannotSend('A file that is no text');
        const path = named(resource.uri);
        files.push(`<file path="${path}">\n${resource.text.trimEnd()}\n</file>`);
        return ` ${path} `;
      }
      case 'image':
        images.push(Buffer.from(block.data, 'base64'));
        return '';
      default:
        throw cannotSend(`What is no text (${block.type})`);
    }
  });
  return { text: [words.join('').trim(), ...files].join('\n\n'), images };
}

const cannotSend = (what: string): TardigradeError =>
  misuse(`${what} cannot be sent in a message.`, 'Name a file of the folder instead.');

/** Relative with `/` if inside the folder, otherwise absolute; an address that is no file stays as it is. */
function fileName(uri: string, workspace: string, platform: NodeJS.Platform): string {
  const [place = uri] = uri.split('#', 1);
  if (!place.startsWith('file:')) return uri;
  try {
    const path = fileURLToPath(place, { windows: platform === 'win32' });
    if (!isInside(workspace, path, platform)) return path;
    const { relative, sep } = pathsOf(platform);
    return relative(workspace, path).replaceAll(sep, '/') || '.';
  } catch {
    // The address names no file.
    return uri;
  }
}
