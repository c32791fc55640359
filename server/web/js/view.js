// @ts-check
// Any ruleset's view, readable: seats as cards, counts and lists as chips, what is hidden as a number of hidden things.

import { h } from "./dom.js";
import { hasMap, mapOf } from "./map.js";
import { counted, Words } from "./words.js";

/** @typedef {Record<string, any>} Json */
/** `before`: the view of the version before, to mark what changed; `choice`: what can be pressed on the map.
 * @typedef {{words: Words, deciding: number[], own: number[], choice: import("./map.js").Choice, before?: Json | null}} Table */

/** Longer lists than this are folded. */
const CHIPS_MAX = 24;
/** A view has `hand` and `hand_size`; where only the second is told, so many things are hidden. */
const SIZE = "_size";
/** Parts of a view that are about the game and not on the table: folded below it. */
const ASIDE = ["map", "options", "agenda", "outcome"];
/** Words that are shown with a spot of their own colour, as style.css has it. */
const COLOURS = new Set(
  "red grey gray green yellow orange blue black white purple brown pink violet cyan magenta gold silver".split(" "),
);

/** @param {Json | null} view @param {Table} table @returns {HTMLElement[]} */
export function renderView(view, table) {
  if (view === null) return [h("p", { class: "quiet" }, "Nothing is on the table yet: the game has not started.")];
  const { words, before } = table;
  const holders = holdersOf(view, words.seats.length);
  const drawn = hasMap(view);
  const onMap = drawn ? partsOnMap(view.map).filter((name) => name !== holders && name in view) : [];
  const apart = new Set([...ASIDE, ...onMap, holders]);
  const common = only(view, (name) => !apart.has(name));
  const [facts, zones] = [only(common, (name) => !isZone(name, common, words)), only(common, (name) => isZone(name, common, words))];
  return [
    drawn && commonPart("As things stand", fields(facts, words, before)),
    drawn && mapOf(view, words, table.choice),
    holders && h("div", { class: "cards" }, cardsOf(view[holders], table, before?.[holders])),
    commonPart("The table", fields(drawn ? zones : common, words, before)),
    onMap.length > 0 && aside("on-map", "On the map, in words", fields(only(view, (name) => onMap.includes(name)), words, before)),
    ...ASIDE.filter((name) => !(drawn && name === "map") && view[name] !== undefined && !isEmpty(view[name])).map((name) => aside(name, words.field(name), [rich(view[name], words)])),
  ].filter((part) => part instanceof HTMLElement);
}

/** @param {string} label @param {HTMLElement[]} parts */
const commonPart = (label, parts) => parts.length > 0 && h("section", { class: "common", "aria-label": label }, ...parts);

/** @param {string} name @param {string} label @param {HTMLElement[]} parts */
const aside = (name, label, parts) => h("details", { class: "aside", "data-key": `aside-${name}` }, h("summary", {}, label), ...parts);

/** @param {Json} thing @param {(name: string) => boolean} fits */
const only = (thing, fits) => Object.fromEntries(Object.entries(thing).filter(([name]) => fits(name)));

/** The parts of a view that its map shows. @param {Json} map @returns {string[]} */
const partsOnMap = (map) => [...new Set((map.layers ?? []).flatMap((/** @type {Json} */ layer) => [layer.part, layer.state ?? layer.part]).map((/** @type {string} */ path) => path.split(".")[0]))].filter((name) => name !== "map");

/** The part that has an object for each seat, or a table of what seats hold, e.g. characters. @param {Json} view @param {number} count @returns {string | undefined} */
function holdersOf(view, count) {
  const isSeats = (/** @type {any} */ part) => Array.isArray(part) && part.length === count && count > 0 && part.every(isObject);
  const isHeld = (/** @type {any} */ part) => isObject(part) && !isEmpty(part) && Object.values(part).every((one) => isObject(one) && typeof one.seat === "number");
  if (isSeats(view.seats)) return "seats";
  return Object.keys(view).find((name) => isHeld(view[name]));
}

/** @param {Json} held @param {Table} table @param {Json | undefined} before */
function cardsOf(held, table, before) {
  if (Array.isArray(held)) return held.map((seat, number) => card(seat, { number, title: table.words.seat(number) }, table, before?.[number]));
  return Object.entries(held).map(([id, { seat, ...rest }]) => card(rest, { number: seat, title: table.words.value(id), seat: table.words.seat(seat) }, table, before?.[id]));
}

/** @param {Json} thing @param {{number: number, title: string, seat?: string}} whose @param {Table} table @param {Json | null | undefined} before */
function card(thing, { number, title, seat }, { words, deciding, own }, before) {
  const mine = own.includes(number);
  return h(
    "section",
    { class: mine ? "card mine" : "card", "aria-label": seat === undefined ? words.who(number) : title },
    h(
      "h3",
      {},
      title,
      " ",
      h("span", { class: "holder" }, seat === undefined ? words.holder(number) : words.who(number)),
      seat === undefined && deciding.includes(number) && h("span", { class: "badge" }, "to act"),
    ),
    ...fields(thing, words, before),
  );
}

/**
 * Numbers and words first, in one strip; then what holds things, each with its name and count. What is empty, or a no,
 * is only named, unless it has just become so.
 * @param {Json} thing @param {Words} words @param {Json | null} [before]
 */
function fields(thing, words, before = null) {
  const isNew = (/** @type {string} */ name) => before !== null && JSON.stringify(before[name]) !== JSON.stringify(thing[name]);
  const isQuiet = (/** @type {string} */ name) => !isNew(name) && isNothing(name, thing[name]);
  const names = Object.keys(thing).filter((name) => !isSizeOf(name, thing));
  const told = names.filter((name) => !isQuiet(name));
  const [zones, facts] = [told.filter((name) => isZone(name, thing, words)), told.filter((name) => !isZone(name, thing, words))];
  const quiet = names.filter(isQuiet).map((name) => words.field(isZone(name, thing, words) ? plainName(name) : name));
  return [
    facts.length > 0 && h("dl", { class: "facts" }, facts.map((name) => mark(fact(name, thing[name], words), isNew(name)))),
    ...zones.map((name) => mark(zone(name, thing, words), isNew(name))),
    quiet.length > 0 && h("p", { class: "nothing" }, "None: ", quiet.join(", ")),
  ].filter((part) => part !== false);
}

/** @param {string} name @param {unknown} value */
const isNothing = (name, value) => value === false || isEmpty(value) || (value === 0 && name.endsWith(SIZE));

/** @param {string} name */
const plainName = (name) => (name.endsWith(SIZE) ? name.slice(0, -SIZE.length) : name);

/** @param {HTMLElement} element @param {boolean} isNew */
function mark(element, isNew) {
  if (isNew) element.classList.add("new");
  return element;
}

/** @param {string} name @param {Json} thing @param {Words} words */
function isZone(name, thing, words) {
  if (name.endsWith(SIZE)) return !(plainName(name) in thing);
  if (words.isPlaces(thing[name], name)) return false;
  return typeof thing[name] === "object" && thing[name] !== null;
}

/** @param {string} name @param {Json} thing */
const isSizeOf = (name, thing) => name.endsWith(SIZE) && plainName(name) in thing;

/** @param {string} name @param {unknown} value @param {Words} words */
function fact(name, value, words) {
  return h("div", { class: "fact" }, h("dt", {}, words.field(name)), h("dd", {}, words.value(value, name)));
}

/** @param {string} name @param {Json} thing @param {Words} words */
function zone(name, thing, words) {
  if (name.endsWith(SIZE)) {
    const hidden = thing[name];
    return h(
      "div",
      { class: "zone" },
      zoneName(words.field(plainName(name)), hidden),
      hidden > 0 && h("span", { class: "hidden" }, `${hidden} hidden`),
    );
  }
  const value = thing[name];
  const total = thing[name + SIZE] ?? sizeOf(value);
  return h("div", { class: "zone" }, zoneName(words.field(name), total), !isEmpty(value) && rich(value, words));
}

/** @param {string} name @param {number | null} count */
const zoneName = (name, count) => h("h4", {}, name, " ", count !== null && h("span", { class: "count" }, count));

/** A value of any shape. @param {any} value @param {Words} words @returns {HTMLElement} */
function rich(value, words) {
  if (Array.isArray(value)) {
    if (value.every((part) => !isObject(part) && !Array.isArray(part))) return chips(counted(value), words);
    if (isTable(value)) return table(value.map(({ id, ...row }) => [id === undefined ? "" : words.value(id), row]), words);
    return h("ol", { class: "things" }, value.map((part) => h("li", {}, rich(part, words))));
  }
  if (!isObject(value)) return h("span", {}, words.value(value));
  const entries = Object.entries(value);
  if (isTable(Object.values(value))) return table(entries.map(([id, row]) => [words.named(id), row]), words);
  if (entries.every(([, part]) => typeof part === "number")) return chips(entries.filter(([, part]) => part !== 0), words);
  return h("div", { class: "nested" }, ...fields(value, words));
}

/** Whether these are several objects with the same fields. @param {any[]} rows */
function isTable(rows) {
  return rows.length > 1 && rows.every(isObject) && new Set(rows.map((row) => Object.keys(row).join(" "))).size === 1;
}

/** Things of a kind under each other; a field that says nothing of any of them is left out. @param {[string, Json][]} rows @param {Words} words */
function table(rows, words) {
  const names = Object.keys(rows[0][1]).filter((name) => rows.some(([, row]) => row[name] !== 0 && !isNothing(name, row[name])));
  const isNamed = rows.some(([name]) => name !== "");
  const part = (/** @type {any} */ value, /** @type {string} */ name) => {
    if (value === false || value === 0 || isEmpty(value)) return "";
    return typeof value !== "object" || words.isPlaces(value, name) ? words.value(value, name) : rich(value, words);
  };
  return h(
    "div",
    { class: "grid" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, isNamed && h("td", {}), names.map((name) => h("th", { scope: "col" }, words.field(name))))),
      h("tbody", {}, rows.map(([name, row]) => h("tr", {}, isNamed && h("th", { scope: "row" }, name), names.map((field) => h("td", {}, part(row[field], field)))))),
    ),
  );
}

/** @param {[any, number][]} things @param {Words} words */
function chips(things, words) {
  const list = h("ul", { class: "chips" }, things.map(([thing, count]) => chip(thing, count, words)));
  if (things.length <= CHIPS_MAX) return list;
  return h("details", {}, h("summary", {}, `${things.length} in a row`), list);
}

/** @param {any} thing @param {number} count @param {Words} words */
function chip(thing, count, words) {
  return h("li", { class: "chip" }, ...spots(thing), words.value(thing), count !== 1 && h("b", {}, `× ${count}`));
}

/** Spots in the colours that a word names, e.g. `red` or `yellow/orange`. @param {any} thing @returns {HTMLElement[]} */
export function spots(thing) {
  return String(thing)
    .split(/[^a-z]+/)
    .filter((word) => COLOURS.has(word))
    .map((colour) => h("i", { class: `spot ${colour}`, "aria-hidden": "true" }));
}

/** @param {any} value @returns {value is Json} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {any} value */
const isEmpty = (value) => value === null || (typeof value === "object" && Object.keys(value).length === 0);

/** How many things a list or a table of counts holds. @param {any} value @returns {number | null} */
function sizeOf(value) {
  if (Array.isArray(value)) return value.length;
  const parts = Object.values(value ?? {});
  return parts.every((part) => typeof part === "number") ? parts.reduce((sum, part) => sum + part, 0) : null;
}
