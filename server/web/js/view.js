// @ts-check
// Any ruleset's view, readable: seats as cards, counts and lists as chips, what is hidden as a number of hidden things.

import { h } from "./dom.js";
import { mapOf } from "./map.js";
import { counted, Words } from "./words.js";

/** @typedef {Record<string, any>} Json */
/** `before`: the view of the version before, to mark what changed.
 * @typedef {{words: Words, deciding: number[], own: number[], before?: Json | null}} Table */

/** Longer lists than this are folded. */
const CHIPS_MAX = 24;
/** A view has `hand` and `hand_size`; where only the second is told, so many things are hidden. */
const SIZE = "_size";
/** Parts of a view that are about the game and not on the table: folded below it. */
const ASIDE = ["options", "agenda", "outcome"];
/** Words that are shown with a spot of their own colour, as style.css has it. */
const COLOURS = new Set(
  "red grey gray green yellow orange blue black white purple brown pink violet cyan magenta gold silver".split(" "),
);

/** @param {Json | null} view @param {Table} table @returns {HTMLElement[]} */
export function renderView(view, table) {
  if (view === null) return [h("p", { class: "quiet" }, "Nothing is on the table yet: the game has not started.")];
  const seats = seatsOf(view, table.words.seats.length);
  const map = mapOf(view, table.words);
  const common = Object.fromEntries(Object.entries(view).filter(([name]) => !ASIDE.includes(name) && name !== seats?.[0] && (name !== "map" || map === null)));
  return [
    seats && h("div", { class: "cards" }, seats[1].map((seat, number) => seatCard(seat, number, table, table.before?.[seats[0]]?.[number]))),
    map,
    h("section", { class: "common", "aria-label": "The table" }, ...fields(common, table.words, table.before)),
    ...ASIDE.filter((name) => view[name] !== undefined && !isEmpty(view[name])).map((name) =>
      h("details", { class: "aside", "data-key": `aside-${name}` }, h("summary", {}, table.words.field(name)), rich(view[name], table.words)),
    ),
  ].filter((part) => part !== null);
}

/** The list that has an object for each seat. @param {Json} view @param {number} count @returns {[string, Json[]] | null} */
function seatsOf(view, count) {
  const isSeats = (/** @type {any} */ part) => Array.isArray(part) && part.length === count && count > 0 && part.every(isObject);
  if (isSeats(view.seats)) return ["seats", view.seats];
  const found = Object.entries(view).find(([, part]) => isSeats(part));
  return found ?? null;
}

/** @param {Json} seat @param {number} number @param {Table} table @param {Json | null | undefined} before */
function seatCard(seat, number, { words, deciding, own }, before) {
  const mine = own.includes(number);
  return h(
    "section",
    { class: mine ? "card mine" : "card", "aria-label": words.who(number) },
    h(
      "h3",
      {},
      words.seat(number),
      " ",
      h("span", { class: "holder" }, words.holder(number)),
      deciding.includes(number) && h("span", { class: "badge" }, "to act"),
    ),
    ...fields(seat, words, before),
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
  const [zones, facts] = [told.filter((name) => isZone(name, thing)), told.filter((name) => !isZone(name, thing))];
  const quiet = names.filter(isQuiet).map((name) => words.field(isZone(name, thing) ? plainName(name) : name));
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

/** @param {string} name @param {Json} thing */
function isZone(name, thing) {
  if (name.endsWith(SIZE)) return !(plainName(name) in thing);
  return typeof thing[name] === "object" && thing[name] !== null;
}

/** @param {string} name @param {Json} thing */
const isSizeOf = (name, thing) => name.endsWith(SIZE) && plainName(name) in thing;

/** @param {string} name @param {unknown} value @param {Words} words */
function fact(name, value, words) {
  return h("div", { class: "fact" }, h("dt", {}, words.field(name)), h("dd", {}, words.value(value)));
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
    return h("ol", { class: "things" }, value.map((part) => h("li", {}, rich(part, words))));
  }
  if (!isObject(value)) return h("span", {}, words.value(value));
  const entries = Object.entries(value);
  if (entries.every(([, part]) => typeof part === "number")) return chips(entries.filter(([, part]) => part !== 0), words);
  return h("div", { class: "nested" }, ...fields(value, words));
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
