/** What models write for arguments that several tools share. */

export const PATH_ALIASES: readonly string[] = [
  'filename',
  'file',
  'file_path',
  'filepath',
  'file_name',
  'dir',
  'directory',
  'folder',
];

/** Names of tools elsewhere, in one string for readability. */
export const splitNames = (names: string): readonly string[] => names.split(' ');
