// @ts-check
// A map of squares, where a view has one: `map.squares` with id, x, y and a kind, `map.kinds` with what the kinds are.
// What lies on it is found by the ids: things with `at`, and tables by square.

import { h } from "./dom.js";
import { Words } from "./words.js";

/** @typedef {Record<string, any>} Json */
/** A square, and what lies on it. @typedef {{square: Json, things: Json[], marks: Json}} Place */

/** @param {Json} view @param {Words} words @returns {HTMLElement | null} */
export function mapOf(view, words) {
  const map = view.map;
  if (!Array.isArray(map?.squares) || map.squares.length === 0) return null;
  const places = placesOf(view);
  const byPlace = new Map([...places.values()].map((place) => [`${place.square.x} ${place.square.y}`, place]));
  const columns = span(map.squares.map((/** @type {Json} */ square) => square.x));
  const rows = span(map.squares.map((/** @type {Json} */ square) => square.y));
  if (map.levels !== undefined) rows.reverse(); // levels are counted from the ground
  const line = (/** @type {number} */ y) =>
    h("tr", {}, columns.map((x) => cell(byPlace.get(`${x} ${y}`), map.kinds ?? {}, words)));
  return h("div", { class: "map" }, h("table", { "aria-label": words.field("map") }, h("tbody", {}, rows.map(line))));
}

/** The numbers from the least to the greatest. @param {number[]} numbers */
function span(numbers) {
  const [least, greatest] = [Math.min(...numbers), Math.max(...numbers)];
  return Array.from({ length: greatest - least + 1 }, (_, n) => least + n);
}

/** @param {Json} view @returns {Map<string, Place>} */
function placesOf(view) {
  /** @type {Map<string, Place>} */
  const places = new Map(view.map.squares.map((/** @type {Json} */ square) => [square.id, { square, things: [], marks: {} }]));
  for (const part of Object.values(view)) {
    if (Array.isArray(part)) for (const thing of part) places.get(thing?.at ?? thing?.square)?.things.push(thing);
    else for (const [id, marks] of Object.entries(part ?? {})) Object.assign(places.get(id)?.marks ?? {}, marks);
  }
  return places;
}

/** @param {Place | undefined} place @param {Record<string, Json>} kinds @param {Words} words */
function cell(place, kinds, words) {
  if (place === undefined) return h("td", { class: "nowhere" });
  const { square, things, marks } = place;
  const kind = kinds[square.kind] ?? {};
  const set = Object.entries(marks).filter(([, value]) => value && !(Array.isArray(value) && value.length === 0));
  const told = [
    `${square.id}: ${kind.name ?? words.value(square.kind)}`,
    ...set.map(([name, value]) => `${words.field(name)}: ${words.value(value)}`),
    ...things.map((thing) => `${words.value(thing.type ?? thing.kind)} ${thing.id ?? ""}`),
  ].join("\n");
  return h(
    "td",
    { class: [kind.cls, kind.colour, set.length > 0 && "marked"].filter(Boolean).join(" "), title: told },
    h("span", { class: "kind", "aria-hidden": "true" }, kind.tags || kind.colour ? square.kind : ""),
    set.length > 0 && h("span", { class: "marks" }, set.map(([name, value]) => short(words.field(name), value)).join(" ")),
    ...things.map((thing) => h("b", { class: `piece seat${thing.controller ?? thing.seat ?? "-"}` }, String(thing.id ?? thing.kind))),
  );
}

/** A marker in two or three letters, e.g. `Fi2`. @param {string} name @param {unknown} value */
const short = (name, value) => name.slice(0, 2) + (typeof value === "number" && value > 1 ? value : "");
