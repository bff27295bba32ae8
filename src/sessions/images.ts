/** Images that go with a message: their bytes tell their type. */
import { misuse } from '../lib/errors.ts';
import type { Image } from '../round/chat/images.ts';
import { imageTypeOf } from '../tools/files/describe-binary.ts';

export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const MAX_IMAGES = 20;

/** Throws E_USAGE for an image in a format that models cannot read, and for one that is too large. */
export function checkedImages(images: readonly Uint8Array[]): readonly Image[] {
  if (images.length > MAX_IMAGES)
    throw misuse(`A message takes at most ${MAX_IMAGES} images.`, 'Send some with the next one.');
  return images.map((bytes) => {
    const mediaType = imageTypeOf(bytes);
    if (mediaType === null)
      throw misuse('What was given is no PNG, JPEG, GIF or WebP image.', 'Give the bytes of one.');
    if (bytes.length > MAX_IMAGE_BYTES)
      throw misuse('An image has more than 5 MB.', 'Give a smaller one.');
    return { bytes, mediaType };
  });
}
