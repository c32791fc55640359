// @ts-check
// What is owed by whom and why, and the legal actions as buttons: by type, narrowed field by field where there are many.

import { button, h, held, replace, select } from "./dom.js";
import { nameOf } from "./places.js";
import { Words } from "./words.js";
import { spots } from "./view.js";

/** @typedef {Record<string, any>} Json */

/** A longer list can be narrowed, and shows only its first few buttons at once. */
const SHORT_MAX = 12;
const FIRST = 6;
const MORE = 60;

export class Decisions {
  /** @param {(seat: number, action: Json) => unknown} act @param {(seat: number, text: string, play: boolean) => unknown} tryOut */
  constructor(act, tryOut) {
    this.element = held(h("div", { class: "decisions" }));
    this._act = act;
    this._tryOut = tryOut;
    /** Actions written by hand, by the key of their decision. @type {Map<string, string>} */
    this._written = new Map();
    /** What each list is narrowed to, by its key. @type {Map<string, {text: string, fields: Record<string, string>, shown: number}>} */
    this._narrowed = new Map();
    /** @type {Json[]} */
    this._decisions = [];
    this._lists = new Set();
    this._words = new Words({});
    /** The spot of the map that the lists are narrowed to. @type {{names: Set<string>, told: string} | null} */
    this._spot = null;
  }

  /** @param {Json[]} decisions @param {Words} words */
  show(decisions, words) {
    this._decisions = decisions;
    this._words = words;
    const lists = new Set(decisions.map(listKey));
    if (![...lists].some((key) => this._lists.has(key))) this._spot = null;
    this._lists = lists;
    for (const kept of [this._narrowed, this._written]) {
      for (const key of kept.keys()) if (!lists.has(key.split(" ", 1)[0])) kept.delete(key);
    }
    this._render();
  }

  /** Show only what can be done with a spot of the map, or all again if that is nothing. @param {string[]} names @param {string} told */
  at(names, told) {
    const spot = { names: new Set(names), told };
    const some = this._decisions.some((decision) => decision.actions?.some((/** @type {Json} */ one) => isAbout(one, spot.names)));
    this._spot = some ? spot : null;
    this._render();
  }

  _render() {
    const own = this._decisions.filter((decision) => decision.actions);
    const others = this._decisions.filter((decision) => !decision.actions);
    replace(
      this.element,
      this._spot && h("p", { class: "row spotted" }, h("span", {}, "Only what names ", h("b", {}, this._spot.told)), button("Show all", () => this.at([], ""), { class: "plain", "data-key": "all spots" })),
      own.map((decision) => this._own(decision)),
      others.length > 0 &&
        h(
          "ul",
          { class: "others" },
          others.map((decision) =>
            h("li", {}, h("b", {}, this._words.who(decision.seat)), decision.owes ? " must act: " : " may act: ", decision.text),
          ),
        ),
    );
  }

  /** @param {Json} decision */
  _own(decision) {
    const spot = this._spot;
    const found = spot ? decision.actions.filter((/** @type {Json} */ one) => isAbout(one, spot.names)) : decision.actions;
    /** @type {Map<string, Json[]>} */
    const byType = new Map();
    for (const one of found) byType.set(one.action.action, [...(byType.get(one.action.action) ?? []), one]);
    const groups = [...byType].filter(([, actions]) => actions.length > 1);
    const singles = [...byType.values()].filter((actions) => actions.length === 1).flat();
    return h(
      "section",
      { class: "decision", "aria-label": `Decision of ${this._words.who(decision.seat)}` },
      h(
        "p",
        { class: "question" },
        h("b", {}, this._words.who(decision.seat)),
        decision.owes ? " must decide: " : " may decide: ",
        decision.text,
        decision.sealed && h("span", { class: "badge" }, "sealed: the others see it when all have chosen"),
      ),
      singles.length > 0 && this._buttons(decision, singles, listKey(decision)),
      groups.length > 0 && h("div", { class: "groups" }, groups.map(([type, actions]) => this._group(decision, actions, { type, alone: byType.size === 1 }))),
      this._byHand(decision),
    );
  }

  /** Any action at all, legal or not: to learn why not, and for those who write a client. @param {Json} decision */
  _byHand(decision) {
    const key = listKey(decision);
    const start = JSON.stringify(decision.default ?? { action: decision.menu?.[0] });
    const text = () => this._written.get(key) ?? start;
    const field = h("textarea", {
      rows: 3,
      spellcheck: "false",
      "aria-label": "An action as JSON",
      value: text(),
      oninput: (/** @type {Event} */ event) => this._written.set(key, /** @type {HTMLTextAreaElement} */ (event.target).value),
      "data-key": `${key} hand`,
    });
    const may = h("p", { class: "quiet" }, "Types: ", (decision.menu ?? []).map((/** @type {string} */ tag) => [h("code", {}, tag), " "]).flat());
    const ask = button("Is it legal?", () => this._tryOut(decision.seat, text(), false), { "data-key": `${key} check` });
    const play = button("Play it", () => this._tryOut(decision.seat, text(), true), { "data-key": `${key} play` });
    return h("details", { class: "byhand", "data-key": `${key} byhand` }, h("summary", {}, "Another action, as JSON"), may, field, h("p", { class: "row" }, ask, play));
  }

  /** @param {Json} decision @param {Json[]} actions @param {{type: string, alone: boolean}} group */
  _group(decision, actions, { type, alone }) {
    const key = `${listKey(decision)} ${type}`;
    const title = this._words.type(type);
    const short = actions.length <= SHORT_MAX;
    return h(
      "details",
      { class: short && !alone ? "group" : "group long", open: alone || short, "data-key": key },
      h("summary", {}, title, " ", h("span", { class: "count" }, actions.length)),
      short ? this._buttons(decision, actions, key) : this._long(decision, actions, key),
    );
  }

  /** @param {Json} decision @param {Json[]} actions @param {string} key */
  _long(decision, actions, key) {
    const narrowed = this._narrowed.get(key) ?? { text: "", fields: {}, shown: FIRST };
    this._narrowed.set(key, narrowed);
    const names = [...new Set(actions.flatMap((one) => Object.keys(one.action)))].filter((name) => name !== "action");
    const fits = (/** @type {Json} */ one, /** @type {string} */ but = "") =>
      labelOf(one).toLowerCase().includes(narrowed.text.toLowerCase()) &&
      Object.entries(narrowed.fields).every(([name, chosen]) => name === but || !chosen || JSON.stringify(one.action[name]) === chosen);
    const found = actions.filter((one) => fits(one));
    const shown = found.slice(0, narrowed.shown);
    return h(
      "div",
      {},
      h(
        "div",
        { class: "narrow" },
        names.map((name) => this._choice(name, actions.filter((one) => fits(one, name)), narrowed, key)),
        this._filter(narrowed, key),
      ),
      h("p", { class: "quiet", role: "status" }, `${found.length} of ${actions.length}`),
      this._buttons(decision, shown, key),
      found.length > shown.length &&
        button(`Show ${Math.min(MORE, found.length - shown.length)} more`, () => this._narrow(() => (narrowed.shown += MORE)), {
          "data-key": `${key} more`,
          class: "plain",
        }),
    );
  }

  /** A choice among the values that one field still can have. @param {string} name @param {Json[]} actions @param {{fields: Record<string, string>, shown: number}} narrowed @param {string} key */
  _choice(name, actions, narrowed, key) {
    const values = new Map(actions.map((one) => [JSON.stringify(one.action[name]), this._words.value(one.action[name], name)]));
    const chosen = narrowed.fields[name] ?? "";
    if (values.size < 2 && !chosen) return null;
    const narrow = (/** @type {Event} */ event) =>
      this._narrow(() => {
        narrowed.fields[name] = /** @type {HTMLSelectElement} */ (event.target).value;
        narrowed.shown = FIRST;
      });
    const options = /** @type {[string, string][]} */ ([["", `any (${values.size})`], ...values]);
    const field = select(options, chosen, { onchange: narrow, "data-key": `${key} ${name}` });
    return h("label", { class: "field" }, h("span", {}, this._words.field(name)), field);
  }

  /** @param {{text: string, shown: number}} narrowed @param {string} key */
  _filter(narrowed, key) {
    const narrow = (/** @type {Event} */ event) =>
      this._narrow(() => {
        narrowed.text = /** @type {HTMLInputElement} */ (event.target).value;
        narrowed.shown = FIRST;
      });
    const field = h("input", { type: "text", value: narrowed.text, placeholder: "part of its text", oninput: narrow, "data-key": `${key} text` });
    return h("label", { class: "field" }, h("span", {}, "Search"), field);
  }

  /** @param {() => unknown} change */
  _narrow(change) {
    change();
    this._render();
  }

  /** @param {Json} decision @param {Json[]} actions @param {string} key */
  _buttons(decision, actions, key) {
    return h(
      "div",
      { class: "buttons" },
      actions.map((one) =>
        h(
          "button",
          {
            type: "button",
            class: "act",
            title: notesOf(one, this._words),
            "data-key": `${key} ${JSON.stringify(one.action)}`,
            onclick: () => this._act(decision.seat, one.action),
          },
          actions.length <= SHORT_MAX && spots(Object.values(one.action).slice(1).flat().filter((value) => typeof value === "string").join(" ")),
          labelOf(one),
          ...saidOf(one).map((note) => h("small", { class: "does" }, this._words.value(note))),
        ),
      ),
    );
  }
}

/** The values of an action's fields, as spots of the map are named. @param {Json} one */
const valuesOf = ({ action: { action, ...fields } }) =>
  Object.values(fields).flatMap((value) => (Array.isArray(value) ? [value, ...value] : [value])).map(nameOf);

/** @param {Json} one @param {Set<string>} names */
const isAbout = (one, names) => valuesOf(one).some((name) => names.has(name));

/** All that the legal actions name. @param {Json[]} decisions @returns {Set<string>} */
export const namesIn = (decisions) => new Set(decisions.flatMap((decision) => decision.actions ?? []).flatMap(valuesOf));

/** @param {Json} decision */
const listKey = (decision) => `${decision.seat}:${decision.step}:${decision.opened_at ?? ""}`;

/** @param {Json} one */
const labelOf = (one) => one.label?.text ?? JSON.stringify(one.action);

/** A ruleset's own facts about an action that are words, and so belong to its text. @param {Json} one @returns {string[]} */
const saidOf = (one) => Object.values(one.notes ?? {}).filter((note) => typeof note === "string" && note !== "");

/** The rule and a ruleset's own facts about an action. @param {Json} one @param {Words} words */
function notesOf(one, words) {
  const notes = Object.entries(one.notes ?? {}).map(([name, value]) => `${words.field(name)}: ${words.value(value, name)}`);
  return [one.rule, ...notes].filter(Boolean).join(" · ");
}
