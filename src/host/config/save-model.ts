/** Saves the chosen model in the user's settings file; everything else in it stays as it is. */
import type { HostEnvironment } from '../host-environment.ts';
import type { EditSettings } from './edit-settings.ts';
import { usersSettingsFile } from './find.ts';
import { withMember } from './json-edit.ts';

/**
 * Returns the path. Throws E_IO and E_DISK_FULL.
 *
 * @param model as typed
 * @param named the file that replaces the user's
 */
export function saveModel(
  edit: EditSettings,
  place: Pick<HostEnvironment, 'env' | 'platform' | 'cwd'>,
  model: string,
  named: string | null,
): string {
  const path = usersSettingsFile(place, named);
  edit(path, (text) => withMember(text, ['model'], model));
  return path;
}
