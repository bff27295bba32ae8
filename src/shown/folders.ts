/** Pure: how the files that a run changed are listed, at a terminal and on the page. */

/** Up to this many files are named one by one. */
export const MAX_NAMED = 20;

/** A build makes many files: where not all can be named, those that commands changed stand together by their folder. */
export function byFolder<File extends { readonly path: string }>(
  files: readonly File[],
  isByCommand: (file: File) => boolean,
) {
  const folders = new Map<string, File[]>();
  const named = files.filter((file) => {
    const [folder = '', name] = file.path.split('/');
    if (files.length <= MAX_NAMED || name === undefined || !isByCommand(file)) return true;
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
    return false;
  });
  return { named, folders };
}
