// What every run loads stands in one file: to find, open, check and read many small ones takes a tenth of a
// start. Other pieces ask it for theirs.

const OTHER = /\brequire\("(\.\/[\w-]+\.cjs)"\)/g;
const LATER = /=>require\("\.\/[\w-]+\.cjs"\)/g;

/** Ids of the pieces that `text` loads at once. */
const neededBy = (text) => [...text.replaceAll(LATER, '').matchAll(OTHER)].map(([, id]) => id);

/**
 * @param pieces CommonJS by id, such as `./start.cjs`
 * @param entry the piece that takes in what it and `also` need
 */
export function together(pieces, entry, also) {
  const inside = new Set();
  const take = (id) => {
    if (inside.has(id) || !pieces.has(id)) return;
    inside.add(id);
    for (const other of neededBy(pieces.get(id))) take(other);
  };
  take(entry);
  for (const id of pieces.keys()) if (also.test(id)) take(id);
  const modules = [...inside].map(
    // In brackets: they are compiled at once, not looked through first.
    (id) => `${JSON.stringify(id)}:(function(exports,require,module){${pieces.get(id)}\n})`,
  );
  const whole = `"use strict";const pieces={${modules.join(',\n')}},loaded={};
function piece(id){const known=loaded[id];if(known)return known.exports;
const module=loaded[id]={exports:{}};pieces[id](module.exports,find,module);return module.exports}
const find=(id)=>Object.hasOwn(pieces,id)?piece(id):require(id);
exports.piece=piece;exports.start=piece(${JSON.stringify(entry)}).start;`;
  const outside = [...pieces].filter(([id]) => !inside.has(id));
  const asking = (text) =>
    text.replaceAll(OTHER, (all, id) =>
      inside.has(id) ? `require(${JSON.stringify(entry)}).piece(${JSON.stringify(id)})` : all,
    );
  return new Map([[entry, whole], ...outside.map(([id, text]) => [id, asking(text)])]);
}
