// What the bundle carries of other people's work: their names, versions and licence texts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/** Folders of the packages whose files stand in a bundle, e.g. `node_modules/zod`. */
export function packageFolders(inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const match = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input.replaceAll('\\', '/'));
    if (match) folders.add(match[0]);
  }
  return [...folders].sort();
}

/** The text of `LICENSES.txt`; a bundled package without a licence text is an error. */
export function licenceText(folders) {
  const parts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
    if (files.length === 0 && !license) throw new Error(`${folder} says nothing about its licence`);
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n');
  });
  const head = 'The files in this folder contain these packages, each under its own licence.';
  return `${[head, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
