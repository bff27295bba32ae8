/** Programs that change the files they are given, and programs that no rule can allow. Pure. */
import type { CommandOptions, TouchedPath } from './contract.ts';

/** Never allowed, for anyone: they change the user identity or the machine. */
export const NEVER =
  /^(?:sudo|su|doas|pkexec|runas|gsudo|format|mkfs(?:\..+)?|fdisk|diskpart|shutdown|reboot|halt|poweroff)$/;

/** Disks, services, the registry, accounts: denied without a question. */
export const DENIED: readonly string[] = [
  ...'dd parted sfdisk gdisk wipefs mount umount diskutil losetup cryptsetup swapon swapoff'.split(
    ' ',
  ),
  ...'reg regedit regsvr32 bcdedit vssadmin wmic setx takeown icacls'.split(' '),
  ...'systemctl service launchctl sc schtasks crontab at initctl rc-service update-rc.d chkconfig'.split(
    ' ',
  ),
  ...'useradd usermod userdel adduser deluser groupadd passwd chpasswd visudo net dscl'.split(' '),
  ...'iptables nft ufw netsh firewall-cmd insmod modprobe rmmod sysctl'.split(' '),
].map((program) => `${program} *`);

/** Publishing commands of programs that belong to no language here. */
export const PUBLISHING: readonly string[] = [
  'gem push *',
  'docker push *',
  'podman push *',
  'helm push *',
  'gh release *',
  'gh repo delete *',
  'dotnet nuget push *',
  'vsce publish *',
];

const DELETES = /^(?:rm|rmdir|unlink|shred|del|erase|rd|srm)$/;
const COPIES = /^(?:cp|copy|ln|install)$/;
const MOVES = /^(?:mv|move|ren)$/;
/** Programs that take whole folders, into an archive or to another place. */
const PACKS =
  /^(?:(?:bsd|g)?tar|zip|7za?|7zz|rar|cpio|pax|ar|rsync|scp|sftp|ditto|robocopy|xcopy|compress-archive)$/i;
const CHANGES = /^(?:mv|cp|ln|touch|mkdir|tee|truncate|chmod|chown|install|move|copy|ren)$/;

/** The files and folders that the command would change, as written. */
export function pathsChanged(name: string, args: readonly string[]): readonly TouchedPath[] {
  if (name === 'dd') return args.flatMap(copiedByDd);
  if (!DELETES.test(name) && !CHANGES.test(name)) return [];
  return [...wordsChanged(name, args), ...args.flatMap((arg) => valueIn(name, arg) ?? [])];
}

function copiedByDd(arg: string): readonly TouchedPath[] {
  const [, side, path = ''] = /^(if|of)=(.+)$/s.exec(arg) ?? [];
  return side === undefined ? [] : [{ does: side === 'if' ? 'read' : 'edit', path }];
}

/** An option's value, which may be a target: `--target-directory=x`, `-tx`. */
function valueIn(name: string, arg: string): TouchedPath | null {
  const isTaking = COPIES.test(name) || MOVES.test(name);
  const path = /^--[^=]+=(.+)$/s.exec(arg)?.[1] ?? (isTaking ? /^-t(.+)$/s.exec(arg)?.[1] : '');
  return path === undefined || path === '' ? null : { does: 'edit', path };
}

function wordsChanged(name: string, args: readonly string[]): readonly TouchedPath[] {
  const words = args.filter((arg) => !arg.startsWith('-') && !/^\/[a-z]$/i.test(arg));
  const own = /^ch(?:mod|own)$/.test(name) ? words.slice(1) : words;
  return own.flatMap((path, at): readonly TouchedPath[] => {
    const isSource = at < own.length - 1;
    const isRead = isSource && (COPIES.test(name) || MOVES.test(name));
    const isChanged = !isSource || !COPIES.test(name);
    return [
      // A file that is renamed or copied can be read under the new name.
      ...(isRead ? [{ does: 'read', path } as const] : []),
      ...(isChanged ? [{ does: 'edit', path } as const] : []),
    ];
  });
}

/** Folders that the command copies, moves or packs with their content, as written. */
export function foldersTaken(name: string, args: readonly string[]): readonly string[] {
  if (PACKS.test(name)) return args.filter((arg) => !arg.startsWith('-'));
  return COPIES.test(name) || MOVES.test(name)
    ? pathsChanged(name, args).flatMap(({ does, path }) => (does === 'read' ? [path] : []))
    : [];
}

/** True for deleting the workspace itself, anything outside, or a folder that must not be written to. */
export function ruinousDelete(
  name: string,
  args: readonly string[],
  { isOutside, platform }: CommandOptions,
): string | null {
  const paths = deletedBy(name, args);
  const isAll = (path: string): boolean =>
    /^(?:[\\/]|~|\$|%)/.test(path) ||
    isOutside(path) ||
    isWorkspace(path, platform) ||
    /(?:^|[\\/])\.(?:git|agent_context)(?:[\\/.]|$)/i.test(path);
  return paths.find(isAll) ?? null;
}

function deletedBy(name: string, args: readonly string[]): readonly string[] {
  if (DELETES.test(name))
    return args.filter((arg) => !/^-./.test(arg) && !(name !== 'rm' && /^\/[a-z]$/i.test(arg)));
  if (name !== 'find' || !args.includes('-delete')) return [];
  const until = args.findIndex((arg) => arg.startsWith('-'));
  return until === 0 ? ['.'] : args.slice(0, until);
}

/** `.`, `./`, `sub/..`: the workspace itself in any spelling. */
function isWorkspace(path: string, platform: NodeJS.Platform): boolean {
  const parts: string[] = [];
  for (const part of path.split(platform === 'win32' ? /[\\/]/ : '/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.length === 0;
}
