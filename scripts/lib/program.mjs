// The program as few files of CommonJS, for which every Node can keep compiled code. Each of our modules is a function in a
// table and is called when something of it is first used; so it may stand in whichever file is best for a start.
//
// What starts use before their first request is one file, since to find, open and read many small ones takes long, and so does
// reading what is not used; the rest of what a run may need is a second one. What is imported later stands in a file of
// its own, and what two of those share in another.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { transformSync } from 'esbuild';
import { isZod, lazyText, packageText, ZOD_LATER } from './lazy-modules.mjs';

const ASKED = /\brequire\("([^"]+)"\)/g;
const LATER = /\bimport\("([^"]+)"\)/g;
const START = 'start';
const SHARED = 'shared';
const LATER_ON = 'work';
/** What is shared, and was in use before the first request. */
const SOON = 'soon';
/** What asks for a module. A name of a module's own would hide it, so no module may have this one. */
const NEED = '$need';
/** Loaded with Node's own import: nobody has it in the bundle. */
const OUTSIDE = new Set(['node-llama-cpp']);

/**
 * @param entry where the program begins; its `start` is the program's
 * @param also imported later, and nevertheless what every start needs
 * @param elsewhere names of bundles of their own by the modules that they stand for, as an import writes them
 * @param settings how the files and packages are bundled
 * @param firstOf names of the modules that starts use first, from texts of a program that has all in one file; `null`: as it is
 * @returns texts by name below `program`, and the files of packages that went in
 */
export async function programOf({ entry, also, elsewhere, settings, firstOf = () => null }) {
  const modules = new Map();
  /** All that is imported, with those that import it later. */
  const take = (id) => {
    if (modules.has(id)) return;
    const text = isPackage(id) ? null : textOf(id);
    const module = { text, needs: new Set(), later: new Set() };
    modules.set(id, module);
    if (text === null) return;
    const named = (name) => idOf(name, id);
    for (const [, name] of text.matchAll(ASKED))
      if (!isBuiltin(name)) module.needs.add(named(name));
    for (const [, name] of text.matchAll(LATER)) {
      if (!isBuiltin(name) && !OUTSIDE.has(name) && !elsewhere.has(name))
        module.later.add(named(name));
    }
    for (const other of [...module.needs, ...module.later]) take(other);
  };
  take(entry);
  take(idOf('zod', entry));
  const inputs = new Set();
  await addPackages(modules, settings, inputs);
  const textsFor = (home) => {
    const places = new Map();
    for (const [id, place] of home) places.set(place, [...(places.get(place) ?? []), id]);
    const files = [...places].map(([place, ids]) => {
      const table = ids.map((id) => tableRow(id, modules.get(id), { home, elsewhere }));
      const text = place === START ? whole(table, named(entry, home)) : part(table);
      return [`${place}.cjs`, minified(text, settings)];
    });
    return new Map(files);
  };
  const texts = textsFor(homesOf(modules, entry, also, null));
  const first = firstOf(texts);
  if (first === null) return { texts, inputs };
  return { texts: textsFor(homesOf(modules, entry, also, first)), inputs };
}

/** What is no TypeScript is the text that it is. */
const textOf = (id) =>
  id.endsWith('.ts') ? lazyText(id) : `module.exports=${JSON.stringify(readFileSync(id, 'utf8'))};`;

const isPackage = (id) => !/^(?:src|bench)\//.test(id);
const idOf = (name, from) => {
  if (isZod(name, from)) return relative('.', ZOD_LATER).replaceAll('\\', '/');
  return name.startsWith('.')
    ? relative('.', resolve(dirname(from), name)).replaceAll('\\', '/')
    : name;
};

/** In which file each module stands. */
function homesOf(modules, entry, also, first) {
  const reachedFrom = (id, found = new Set()) => {
    if (found.has(id)) return found;
    found.add(id);
    for (const other of modules.get(id).needs) reachedFrom(other, found);
    return found;
  };
  const isFirst = (id) => first === null || id === entry || first.has(nameOf(id));
  const home = new Map();
  for (const one of [entry, also].filter((id) => modules.has(id)))
    for (const id of reachedFrom(one)) home.set(id, isFirst(id) ? START : LATER_ON);
  const late = new Set([...modules.values()].flatMap(({ later }) => [...later]));
  for (const one of late) {
    const name = one
      .replace(/^src\//, '')
      .replace(/\.ts$/, '')
      .replaceAll(/[^\w-]+/g, '-');
    const isThere = (id) => home.get(id) === START || home.get(id) === LATER_ON;
    if (isThere(one)) continue;
    for (const id of reachedFrom(one)) {
      if (!isThere(id)) home.set(id, !home.has(id) ? name : first?.has(nameOf(id)) ? SOON : SHARED);
    }
  }
  return home;
}

async function addPackages(modules, settings, inputs) {
  const ours = [...modules.values()].flatMap(({ text }) => text ?? []);
  const isLater = (id) => [...modules.values()].some(({ later }) => later.has(id));
  for (const [id, module] of modules) {
    if (module.text !== null) continue;
    module.text = await packageText(id, isLater(id) ? null : ours, settings, inputs);
  }
}

const nameOf = (id) => id.replace(/^src\//, '');
/** With its file before it, as it is asked for. */
const named = (id, home) => JSON.stringify(`${home.get(id)}:${nameOf(id)}`);

function tableRow(id, { text }, { home, elsewhere }) {
  if (!isPackage(id) && text.includes(NEED)) throw new Error(`build: ${id} has a name ${NEED}`);
  const asking = isPackage(id)
    ? text
    : text
        .replaceAll(ASKED, (all, name) =>
          isBuiltin(name) ? all : `${NEED}(${named(idOf(name, id), home)})`,
        )
        .replaceAll(LATER, (all, name) => {
          if (OUTSIDE.has(name)) return all;
          const own = elsewhere.get(name) ?? name;
          const outside = isBuiltin(own) || own !== name;
          const asked = outside
            ? `require(${JSON.stringify(own)})`
            : `${NEED}(${named(idOf(name, id), home)})`;
          return `Promise.resolve().then(()=>${asked})`;
        });
  return `${named(id, home)}:function(exports,require,module){${asking}\n}`;
}

const whole = (table, entry) => `"use strict";const table={${table.join(',\n')}};
const loaded=new Map();
function ${NEED}(id){const known=loaded.get(id);if(known!==undefined)return known.exports;
if(table[id]===undefined)Object.assign(table,require("./"+id.slice(0,id.indexOf(":"))+".cjs")(${NEED}));
const module={exports:{}};loaded.set(id,module);table[id](module.exports,require,module);return module.exports}
exports.loaded=()=>[...loaded.keys()].map((id)=>id.slice(id.indexOf(":")+1));exports.entry=()=>${NEED}(${entry});exports.start=(...args)=>${NEED}(${entry}).startProgram(...args);`;

const part = (table) => `"use strict";module.exports=(${NEED})=>({${table.join(',\n')}});`;

function minified(text, { target, define, drop }) {
  return transformSync(text, {
    ...{ loader: 'js', platform: 'node', target, define, drop },
    ...{ minifyWhitespace: true, minifySyntax: true, lineLimit: 160, legalComments: 'none' },
    logLevel: 'warning',
  }).code;
}
