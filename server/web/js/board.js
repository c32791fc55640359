// @ts-check
// The table at any version: a slider and step buttons over all of them, for each reader that may be asked for.

import { get } from "./api.js";
import { announce, button, h, held, replace, select } from "./dom.js";
import { lineOf, sentence, told } from "./log.js";
import { renderView } from "./view.js";
import { Words } from "./words.js";

/** @typedef {Record<string, any>} Json */
/** What is shown: everything that is known of a game or a replay.
 * @typedef {{words: Words, events: Json[], first: number, version: number, view: Json | null, readers: string[],
 *            reader: string, deciding: number[], own: number[], may?: Set<string>, newest: string}} Known
 * `may`: names in the actions of the own seats; `newest`: what going there is called */

const VIEWS_KEPT_MAX = 500;
const PLAY_MS = 900;

export class Board {
  /**
   * @param {string} base `/v1/games/…` or `/v1/replays/…`
   * @param {{moved: () => unknown, read: (reader: string) => unknown, pick?: (names: string[], told: string) => unknown}} ask
   *   told when another version or reader is wanted, or a spot of the map was pressed
   */
  constructor(base, ask) {
    this._base = base;
    this._ask = ask;
    /** The version looked at; null: the newest. @type {number | null} */
    this.at = null;
    /** What the reader saw at a version. @type {Map<number, Promise<Json | null>>} */
    this._views = new Map();
    this._asked = 0;
    this._eyes = "";
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this._playing = undefined;
    const slide = () => this.look(Number(this._slider.value));
    this._slider = /** @type {HTMLInputElement} */ (
      held(h("input", { type: "range", oninput: slide, "aria-label": "Version" }))
    );
    this._bar = h("div", { class: "timeline" });
    this._caption = h("div", { class: "caption" });
    this._table = h("div", { class: "table" });
    this.element = h("div", {}, this._bar, this._caption, this._table);
  }

  /** The version that is shown. */
  get shown() {
    return this.at ?? this._known?.version ?? 0;
  }

  /** @param {Known} known */
  show(known) {
    // The same eyes see more after the end.
    const eyes = `${known.reader} ${known.readers.length}`;
    if (eyes !== this._eyes) this._views.clear();
    this._eyes = eyes;
    this._known = known;
    if (this.at !== null && this.at >= known.version && !this._playing) this.at = null;
    this._render();
  }

  /** @param {number | null} version null: the newest */
  look(version) {
    const known = this._known;
    if (!known) return;
    const at = version === null ? null : Math.max(known.first, Math.min(version, known.version));
    this.at = at === known.version ? null : at;
    if (this.shown === known.version) this.stop();
    this._render();
    this._ask.moved();
    announce(`Version ${this.shown} of ${known.version}`);
  }

  stop() {
    clearInterval(this._playing);
    this._playing = undefined;
  }

  _play() {
    if (this._playing) {
      this.stop();
      this._render();
      return;
    }
    const known = this._known;
    if (!known) return;
    if (this.shown >= known.version) this.at = known.first;
    this._playing = setInterval(() => this.look(this.shown + 1), PLAY_MS);
    this.look(this.shown);
  }

  _render() {
    const known = this._known;
    if (!known) return;
    replace(this._bar, ...this._controls(known));
    this._describe(known);
    const asked = ++this._asked;
    const draw = (/** @type {Json | null} */ view, /** @type {Json | null} */ before) => {
      if (asked !== this._asked) return;
      const live = this.at === null;
      const deciding = live ? known.deciding : [];
      const choice = { may: (live && known.may) || new Set(), pick: (/** @type {string[]} */ names, /** @type {string} */ told) => this._ask.pick?.(names, told) };
      replace(this._table, ...renderView(view, { words: known.words, deciding, own: known.own, choice, before }));
    };
    if (known.view !== null) this._views.set(known.version, Promise.resolve(known.view));
    const before = this.shown > known.first ? this._view(this.shown - 1, known.reader) : Promise.resolve(null);
    const now = this._view(this.shown, known.reader);
    Promise.all([now, before]).then(
      ([view, previous]) => draw(view, previous),
      (error) => asked === this._asked && replace(this._table, h("p", { class: "warning" }, error.message)),
    );
  }

  /** @param {number} version @param {string} reader @returns {Promise<Json | null>} */
  _view(version, reader) {
    let found = this._views.get(version);
    if (found === undefined) {
      found = get(`${this._base}/view?at=${version}&seat=${reader}`).then((answer) => answer.view);
      found.catch(() => this._views.delete(version));
      if (this._views.size >= VIEWS_KEPT_MAX) this._views.clear();
      this._views.set(version, found);
    }
    return found;
  }

  /** @param {Known} known */
  _controls(known) {
    const at = this.shown;
    const step = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => number | null} */ to, off = false) =>
      button(sign, () => this.look(to()), { class: "step", title: name, "aria-label": name, disabled: off, "data-key": name });
    const [min, max] = [String(known.first), String(known.version)];
    Object.assign(this._slider, { min, max, value: String(at) });
    this._slider.setAttribute("aria-valuetext", `version ${at} of ${max}`);
    return [
      h(
        "div",
        { class: "steps", role: "group", "aria-label": "Versions" },
        step("|◀", "First version", () => this._known?.first ?? 1, at <= known.first),
        step("◀", "One version back", () => this.shown - 1, at <= known.first),
        button(this._playing ? "Stop" : "Play", () => this._play(), { class: "step", title: "Step by itself", "data-key": "play" }),
        step("▶", "One version on", () => this.shown + 1, at >= known.version),
        step("▶|", "Newest version", () => null, at >= known.version),
      ),
      this._slider,
      h("output", { class: "at" }, `${at} / ${max}`),
      this._readers(known),
    ];
  }

  /** @param {Known} known */
  _readers({ reader, readers, words }) {
    const options = /** @type {[string, string][]} */ (
      readers.map((one) => [one, /^\d+$/.test(one) ? words.who(Number(one)) : words.seat(one)])
    );
    if (options.length === 1) return h("span", { class: "reader quiet" }, `Seen by ${options[0][1]}`);
    const read = (/** @type {Event} */ event) => this._ask.read(/** @type {HTMLSelectElement} */ (event.target).value);
    return h("label", { class: "reader" }, h("span", {}, "Seen by"), select(options, reader, { onchange: read, "data-key": "reader" }));
  }

  /** @param {Known} known */
  _describe(known) {
    const event = known.events[this.shown - 1];
    const gone = event !== undefined && !lineOf(known.events, known.version).has(this.shown);
    replace(
      this._caption,
      this.at !== null &&
        h(
          "p",
          { class: "then" },
          event ? `${event.version}: ${sentence(event, known.words)}` : `Version ${this.at}`,
          gone && h("span", { class: "badge" }, "taken back"),
          button(known.newest, () => this.look(null), { class: "plain", "data-key": "now" }),
        ),
      this.at !== null && event && h("ul", {}, told(event).map((text) => h("li", {}, text))),
    );
  }
}
