// @ts-check
// A map of squares, drawn from what a view says of it: squares and areas as the cells of a table, what lies there in them.

import { h } from "./dom.js";
import { amountOf, spotsOf } from "./places.js";
import { Words } from "./words.js";

/** @typedef {Record<string, any>} Json */
/** @typedef {import("./places.js").Spot} Spot */
/** @typedef {import("./places.js").Thing} Thing */
/** `may`: names that own legal actions have in them; `pick` is told the names of the spot that was pressed.
 * @typedef {{may: Set<string>, pick: (names: string[], told: string) => unknown}} Choice */

/** A legend of more kinds of squares than this would explain nothing. */
const KINDS_MAX = 8;
/** The width of all columns of squares; the rest is for names beside them. */
const SQUARES_PERCENT = 90;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Whether a view has a map that can be drawn. @param {Json} view */
export const hasMap = (view) => (view.map?.squares ?? view.map?.rows ?? []).length > 0;

/** @param {Json} view that has a map @param {Words} words @param {Choice} choice @returns {HTMLElement} */
export function mapOf(view, words, choice) {
  const { map } = view;
  const spots = spotsOf(view);
  const [columns, rows] = [span(spots, "x", "width"), span(spots, "y", "height")];
  const flipped = map.levels !== undefined; // levels are counted from the ground
  const starts = new Map(spots.map((spot) => [`${spot.x} ${flipped ? spot.y + spot.height - 1 : spot.y}`, spot]));
  const covered = new Set(spots.flatMap((spot) => squaresUnder(spot)));
  const first = spots[0];
  const line = (/** @type {number} */ y) =>
    columns.map((x) => {
      const spot = starts.get(`${x} ${y}`);
      if (spot) return cell(spot, map, words, { may: choice.may, isFirst: spot === first });
      return covered.has(`${x} ${y}`) ? null : h("td", { class: "nowhere" });
    });
  const lines = flipped ? rows.reverse() : rows;
  const sides = new Map(map.rows && streetsAlong(map, "y", rows).map(([y, street, lanes]) => [y, [streetHead("rowspan", street, lanes), h("th", { scope: "row" }, y)]]));
  const pick = (/** @type {Event} */ event) => {
    const pressed = spotAt(event.target);
    if (pressed?.dataset.names) choice.pick(JSON.parse(pressed.dataset.names), pressed.dataset.title ?? "");
  };
  const press = (/** @type {Event} */ event) => (move(/** @type {KeyboardEvent} */ (event)) ? event.preventDefault() : undefined);
  const key = (/** @type {Event} */ event) => (["Enter", " "].includes(/** @type {KeyboardEvent} */ (event).key) ? (event.preventDefault(), pick(event)) : press(event));
  return h(
    "div",
    { class: "map" },
    h(
      "div",
      { class: "sheet", onclick: pick, onkeydown: key },
      h(
        "table",
        { class: map.rows && "numbered", "aria-label": words.field("map") },
        map.rows && h("colgroup", {}, h("col", { class: "streets" }), h("col", { class: "numbers" }), columns.map(() => h("col", { width: `${SQUARES_PERCENT / columns.length}%` }))),
        map.rows && head(columns, map),
        h("tbody", {}, lines.map((y) => h("tr", {}, sides.get(y), line(y)))),
      ),
    ),
    legend(spots, map, words),
  );
}

/** The numbers that the spots reach over. @param {Spot[]} spots @param {"x" | "y"} axis @param {"width" | "height"} size */
function span(spots, axis, size) {
  const least = Math.min(...spots.map((spot) => spot[axis]));
  const end = Math.max(...spots.map((spot) => spot[axis] + spot[size]));
  return Array.from({ length: end - least }, (_, n) => least + n);
}

/** @param {Spot} spot */
function squaresUnder(spot) {
  const along = (/** @type {number} */ from, /** @type {number} */ count) => Array.from({ length: count }, (_, n) => from + n);
  return along(spot.x, spot.width).flatMap((x) => along(spot.y, spot.height).map((y) => `${x} ${y}`));
}

/** The street in each of these columns (axis x) or rows (axis y), and how many of its lanes begin there. @param {Json} map @param {string} axis @param {number[]} numbers @returns {[number, Json | undefined, number][]} */
function streetsAlong(map, axis, numbers) {
  const streets = Object.values(map.streets ?? {}).filter((street) => street.axis === axis);
  return numbers.map((number, at) => {
    const street = streets.find((one) => one.lanes.includes(number));
    const begins = !street || !street.lanes.includes(numbers[at - 1]);
    return [number, street, begins ? numbers.filter((one) => one === number || street?.lanes.includes(one)).length : 0];
  });
}

/** @param {string} side @param {Json | undefined} street @param {number} lanes */
const streetHead = (side, street, lanes) => lanes > 0 && h("th", { class: "street", [side]: lanes }, street?.name);

/** Names of streets, and numbers, of the columns. @param {number[]} columns @param {Json} map */
function head(columns, map) {
  const corner = () => [h("th", {}), h("th", {})];
  return h(
    "thead",
    {},
    h("tr", {}, corner(), streetsAlong(map, "x", columns).map(([, street, lanes]) => streetHead("colspan", street, lanes))),
    h("tr", {}, corner(), columns.map((x) => h("th", { scope: "col" }, x))),
  );
}

/** @param {Spot} spot @param {Json} map @param {Words} words @param {{may: Set<string>, isFirst: boolean}} how */
function cell(spot, map, words, { may, isFirst }) {
  const { area, square, things, names } = spot;
  const kind = map.kinds?.[square.kind] ?? {};
  const marks = things.filter((thing) => thing.layer.shape === "mark" && thing.layer.cls !== "told");
  const pieces = things.filter((thing) => thing.layer.shape === "piece");
  const title = area ? called(area, words) : place(spot, map, words);
  const danger = marks.some((thing) => thing.layer.cls === "peril");
  return h(
    "td",
    {
      class: [area ? `area ${looks(area)}` : `${kind.cls ?? ""} ${kind.colour ?? ""}`, danger && "marked", [...names].some((name) => may.has(name)) && "may"].filter(Boolean).join(" "),
      colspan: spot.width > 1 ? spot.width : null,
      rowspan: spot.height > 1 ? spot.height : null,
      tabindex: isFirst ? 0 : -1,
      "data-x": spot.x,
      "data-y": spot.y,
      "data-names": JSON.stringify([...names]),
      "data-title": title,
    },
    h(
      "div",
      { class: "shown", "aria-hidden": "true" },
      h("span", { class: "kind" }, area ? [short(area, words), area.fields[area.layer.type] && h("small", {}, ` ${area.id}`)] : kind.tags || kind.colour ? square.kind : ""),
      marks.map((thing) => h("span", { class: `mark ${thing.layer.cls ?? ""}` }, markOf(thing, words))),
      pieces.map((thing) => h("b", { class: `piece ${looks(thing)}` }, thing.layer.type ? thing.id : short(thing, words))),
    ),
    h("span", { class: "told" }, [title, ...things.map((thing) => told(thing, spot, words))].join(" · ")),
  );
}

/** @param {Thing} thing */
function looks({ layer, fields }) {
  const seat = layer.seat === undefined ? "" : `seat${fields[layer.seat] ?? "-"}`;
  return [layer.cls, layer.looks && `is-${fields[layer.looks]}`, seat].filter(Boolean).join(" ");
}

/** A square in words: where it is, its kind, its streets. @param {Spot} spot @param {Json} map @param {Words} words */
function place({ square }, map, words) {
  const streets = Object.values(map.streets ?? {}).filter((street) => street.lanes.includes(square[street.axis]));
  const at = Array.isArray(square.id) ? `(${square.id.join(", ")})` : square.id;
  return [`${at} ${words.value(map.kinds?.[square.kind]?.name ?? square.kind)}`, ...streets.map((street) => street.name)].join(", ");
}

/** A thing by its name. @param {Thing} thing @param {Words} words */
function called({ layer, id, fields }, words) {
  const type = layer.type && fields[layer.type];
  if (type) return `${words.value(type)} ${id}`;
  return words.texts[`value.${id}`] ?? `${words.field(layer.name)} ${id}`.trim();
}

/** What is told of a thing in a spot. @param {Thing} thing @param {Spot} spot @param {Words} words */
function told(thing, { area }, words) {
  const { layer, id, fields } = thing;
  if (layer.shape !== "mark") return called(thing, words) + facts(thing, words);
  const whose = id && id !== area?.id ? `: ${words.texts[`value.${id}`] ?? id}` : "";
  const count = layer.count ? amountOf(fields[layer.count]) : 1;
  return words.field(layer.name) + whose + (count > 1 ? ` × ${count}` : "");
}

/** @param {Thing} thing @param {Words} words */
function facts({ layer, fields }, words) {
  const names = (layer.tells ?? []).filter((/** @type {string} */ name) => fields[name] || fields[name] === 0);
  const parts = names.map((/** @type {string} */ name) => (fields[name] === true ? words.field(name) : `${words.field(name)} ${words.value(fields[name], name)}`));
  return parts.length > 0 ? ` (${parts.join(", ")})` : "";
}

/** A name that fits into a square. @param {Thing} thing @param {Words} words */
function short({ layer, id, fields }, words) {
  const word = (layer.type && fields[layer.type]) ?? id;
  return words.texts[`short.${word}`] ?? words.texts[`value.${word}`] ?? String(word);
}

/** A mark in a few letters, e.g. `Fi 2`. @param {Thing} thing @param {Words} words */
function markOf({ layer, id, fields }, words) {
  const word = words.texts[`short.${id}`] ?? abbreviated(layer, words);
  const count = layer.count ? amountOf(fields[layer.count]) : 1;
  return count > 1 ? `${word}\u00a0${count}` : word;
}

/** A layer's name in a few letters. @param {Json} layer @param {Words} words */
const abbreviated = (layer, words) => words.texts[`short.${layer.name}`] ?? words.field(layer.name).slice(0, 2);

/** What the colours and words on this map mean. @param {Spot[]} spots @param {Json} map @param {Words} words */
function legend(spots, map, words) {
  const kinds = new Map(spots.filter((spot) => !spot.area).map((spot) => map.kinds?.[spot.square.kind]).filter(Boolean).map((kind) => [kind.cls, kind]));
  const things = spots.flatMap((spot) => [...(spot.area ? [spot.area] : []), ...spot.things]).filter((thing) => thing.layer.cls !== "told");
  const explained = things.filter(({ layer }) => layer.shape !== "mark" || abbreviated(layer, words).toLowerCase() !== words.field(layer.name).toLowerCase());
  const layers = new Map(explained.map((thing) => [thing.layer.name, thing]));
  const grounds = kinds.size > KINDS_MAX || !map.rows ? [] : [...kinds.values()];
  return h(
    "ul",
    { class: "legend", "aria-hidden": "true" },
    grounds.map((kind) => h("li", {}, h("i", { class: `swatch ${kind.cls}` }), words.value(kind.name))),
    [...layers.values()].map((thing) => h("li", {}, sample(thing, words), words.field(thing.layer.name))),
  );
}

/** @param {Thing} thing @param {Words} words */
function sample(thing, words) {
  const { layer } = thing;
  if (layer.shape === "area") return h("i", { class: `swatch ${layer.cls ?? ""}` });
  if (layer.shape === "mark") return h("span", { class: `mark ${layer.cls ?? ""}` }, abbreviated(layer, words));
  return h("i", { class: `piece dot ${layer.seat === undefined ? (layer.cls ?? "") : "seat0"}` });
}

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
const spotAt = (target) => (target instanceof Element ? target.closest("td[data-x]") : null);

/** Move the focus to the spot beside the one that has it. @param {KeyboardEvent} event */
function move(event) {
  const from = spotAt(event.target);
  const way = ARROWS[event.key];
  if (!from || !way) return false;
  const all = /** @type {HTMLTableCellElement[]} */ ([...(from.closest("table")?.querySelectorAll("td[data-x]") ?? [])]);
  const box = from.getBoundingClientRect();
  const beside = (/** @type {HTMLElement} */ one) => {
    const its = one.getBoundingClientRect();
    const [dx, dy] = [its.x + its.width / 2 - box.x - box.width / 2, its.y + its.height / 2 - box.y - box.height / 2];
    const [along, across] = way[0] ? [dx * way[0], Math.abs(dy)] : [dy * way[1], Math.abs(dx)];
    return along > 1 ? along + 3 * across : Infinity;
  };
  const next = all.reduce((best, one) => (beside(one) < beside(best) ? one : best), all[0]);
  if (beside(next) !== Infinity) next.focus();
  return true;
}
