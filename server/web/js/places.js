// @ts-check
// What lies where on the map of a view, as its layers say (games/drawing.py).

/** @typedef {Record<string, any>} Json */
/** A thing, with all its fields, on a layer. @typedef {{layer: Json, id: string, fields: Json}} Thing */
/** What is drawn as one: a square, or the squares of an area; `names` are what actions may call it and what lies there.
 * @typedef {{x: number, y: number, width: number, height: number, square: Json, area: Thing | null, things: Thing[], names: Set<string>}} Spot */

/** A value of an action, to be compared with the names of a spot. @param {any} value */
export const nameOf = (value) => JSON.stringify(value);

/** The spots of a map, row by row. @param {Json} view @returns {Spot[]} */
export function spotsOf(view) {
  const spots = new Map(squaresOf(view.map).map((square) => [nameOf(square.id), single(square)]));
  const found = (view.map.layers ?? []).flatMap((/** @type {Json} */ layer) => thingsOf(view, layer));
  for (const [thing, place] of found) if (thing.layer.shape === "area") settle(spots, thing, placesIn(place));
  for (const [thing, place] of found) {
    if (thing.layer.shape === "area") continue;
    for (const spot of new Set(placesIn(place).map((one) => spots.get(nameOf(one))))) if (spot) put(spot, thing);
  }
  return [...new Set(spots.values())];
}

/** Squares as a view lists them, or of rows of characters. @param {Json} map @returns {Json[]} */
function squaresOf(map) {
  if (map.squares) return map.squares;
  const squares = map.rows.map((/** @type {string} */ row, /** @type {number} */ y) => [...row].map((kind, x) => ({ id: [x, y], x, y, kind })));
  return squares.flat().filter((/** @type {Json} */ square) => square.kind !== " ");
}

/** @param {Json} square @returns {Spot} */
const single = (square) => ({ x: square.x, y: square.y, width: 1, height: 1, square, area: null, things: [], names: new Set([nameOf(square.id)]) });

/** @param {Spot} spot @param {Thing} thing */
function put(spot, thing) {
  spot.things.push(thing);
  if (thing.layer.shape === "piece") spot.names.add(nameOf(thing.id));
}

/** An area takes its squares: as one where they are a rectangle, else each for itself. @param {Map<string, Spot>} spots @param {Thing} thing @param {any[]} cells */
function settle(spots, thing, cells) {
  const own = /** @type {Spot[]} */ (cells.map((cell) => spots.get(nameOf(cell))).filter((spot) => spot && spot.area === null));
  if (own.length === 0) return;
  const [xs, ys] = [own.map((spot) => spot.x), own.map((spot) => spot.y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - x + 1, Math.max(...ys) - y + 1];
  const whole = width * height === own.length;
  const spot = { ...own[0], x, y, width, height };
  for (const one of own) {
    const kept = whole ? spot : one;
    for (const name of [...one.names, nameOf(thing.id)]) kept.names.add(name);
    kept.area = thing;
    for (const name of one.names) spots.set(name, kept);
  }
}

/** The things of a layer, each with its place. @param {Json} view @param {Json} layer @returns {[Thing, any][]} */
function thingsOf(view, layer) {
  const state = layer.state ? dig(view, layer.state) : {};
  /** @type {[Thing, any][]} */
  const things = entriesOf(dig(view, layer.part), layer).map(([id, thing]) => {
    const fields = { ...(isObject(thing) ? thing : {}), ...state?.[id] };
    return [{ layer, id, fields }, layer.at === "" ? thing : (layer.at ?? "id") === "id" ? id : dig(thing, layer.at)];
  });
  return things.filter(([{ fields }, place]) => place && (!layer.when || fields[layer.when]) && (!layer.count || amountOf(fields[layer.count]) > 0));
}

/** The things of a part by their ids. @param {any} part @param {Json} layer @returns {[string, any][]} */
function entriesOf(part, layer) {
  if (!part) return [];
  if (Array.isArray(part)) return part.map((thing) => [String(thing?.id ?? ""), thing]);
  const isOne = layer.at && layer.at !== "id" && dig(part, layer.at) !== undefined;
  return isOne ? [[layer.part.split(".").at(-1), part]] : Object.entries(part);
}

/** How many a field tells of: a number, a list, or yes. @param {any} value */
export const amountOf = (value) => (Array.isArray(value) ? value.length : Number(value ?? 0));

/** The places that a field names: one, or a list of them. @param {any} place @returns {any[]} */
export const placesIn = (place) => (Array.isArray(place) && typeof place[0] !== "number" ? place : [place]);

/** @param {any} from @param {string} path with dots */
const dig = (from, path) => path.split(".").reduce((at, name) => at?.[name], from);

/** @param {any} value @returns {value is Json} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
