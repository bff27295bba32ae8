// A start meets few of our schemas, and a schema takes zod longer to build than most ever check. So the zod of a
// build makes a schema when something is first asked of it.
//
// 1. The first schema of each kind is built at once: it gives the kind its methods, and names what the others
//    are built at. What it is made of is built before it, since zod builds nothing in between.
// 2. Whether one is built shows nowhere but in the time it takes, and in when a wrong one throws.

const BUILD = `function _(def) {
        const inst = params?.Parent ? newError(Definition) : this;
`;
const BUILD_LATER = `const _ = params?.Parent
        ? function (def) { return built(newError(Definition), def); }
        : builtLater(built);
    function built(inst, def) {
`;

const LATER = `
const WAITING = Symbol.for("zod.waiting");
const PARENT = Symbol.for("zod.parent");
function builtLater(built) {
    let names = null;
    function _(def) {
        if (names === null) {
            for (const key of Object.keys(def)) if (key !== "shape") buildWithin(def[key]);
            built(this, def);
            if (names !== null) return;
            names = new Set(Object.getOwnPropertyNames(this));
            for (const key of names) buildAt(_.prototype, key, built);
            return;
        }
        this[WAITING] = def;
        if (names.has("def")) this.def = def;
    }
    return _;
}
function buildWithin(part) {
    if (Array.isArray(part)) part.forEach(buildWithin);
    else void part?._zod;
}
function buildAt(proto, key, built) {
    if (Object.hasOwn(proto, key)) return;
    Object.defineProperty(proto, key, {
        configurable: true,
        get() {
            const def = this[WAITING];
            if (def === undefined) return undefined;
            this[WAITING] = undefined;
            built(this, def);
            if (this[PARENT] !== undefined) this._zod.parent = this[PARENT];
            return this[key];
        },
        set(value) {
            Object.defineProperty(this, key, { configurable: true, enumerable: true, writable: true, value });
        },
    });
}
`;

const CLONE = `    const cl = new inst._zod.constr(def ?? inst._zod.def);
    if (!def || params?.parent)
        cl._zod.parent = inst;
`;
/** What is said of a schema makes another one of it: neither has to be built for that. */
const CLONE_LATER = `    const [waiting, parent] = [Symbol.for("zod.waiting"), Symbol.for("zod.parent")];
    const cl = inst[waiting] === undefined
        ? new inst._zod.constr(def ?? inst._zod.def)
        : new inst.constructor(def ?? inst[waiting]);
    if (!def || params?.parent) {
        if (cl[waiting] === undefined) cl._zod.parent = inst;
        else cl[parent] = inst;
    }
`;

const replaced = (text, old, made) => {
  if (text.split(old).length !== 2) throw new Error('build: zod builds its schemas otherwise now');
  return text.replace(old, () => made);
};

/** @param text zod's `core.js` */
export const buildingLater = (text) => replaced(text, BUILD, BUILD_LATER) + LATER;

/** @param text zod's `util.js` */
export const cloningLater = (text) => replaced(text, CLONE, CLONE_LATER);
