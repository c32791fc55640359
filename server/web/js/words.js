// @ts-check
// Names of things, from the texts of a ruleset; where it has none, from the identifier itself.

import { placesIn } from "./places.js";

/** @typedef {Record<string, any>} Json */

/** "hand_size" as people write it. @param {string} name */
export function spaced(name) {
  const words = name.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "bot:random" as people write it. @param {string} bot */
export const botName = (bot) => bot.replace(":", " ");

export class Words {
  /** @param {Json} texts templates by key @param {Json[]} [seats] the seats of a game @param {string} [me] */
  constructor(texts, seats = [], me = "") {
    this.texts = texts;
    this.seats = seats;
    this.me = me;
  }

  /** A value of the view, an action or an effect, of this field. @param {unknown} value @param {string} [field] @returns {string} */
  value(value, field = "") {
    if (this.isPlaces(value, field)) return placesIn(value).map((square) => (Array.isArray(square) ? `(${square.join(", ")})` : this.value(square))).join(", ");
    if (value === null || value === undefined) return this.texts["value.none"] ?? "none";
    if (typeof value === "boolean") return this.texts[`value.${value}`] ?? (value ? "yes" : "no");
    if (Array.isArray(value)) return counted(value).map(([one, n]) => this.times(one, n)).join(", ") || this.value(null);
    if (typeof value === "object") {
      const parts = Object.entries(value).map(([name, part]) =>
        typeof part === "number" ? this.times(name, part) : `${this.field(name)}: ${this.value(part, name)}`,
      );
      return parts.join(", ") || this.value(null);
    }
    return this.texts[`value.${value}`] ?? this.numbered(String(value));
  }

  /** Whether a field tells of squares, as numbers: the text `cells` names such fields. @param {unknown} value @param {string} field @returns {value is any[]} */
  isPlaces(value, field) {
    return Array.isArray(value) && (this.texts.cells ?? "").split(" ").includes(field) && placesIn(value).some(Array.isArray);
  }

  /** One of several of a kind, such as pint2, where the texts say how that is told. @param {string} text */
  numbered(text) {
    const kind = text.replace(/[0-9]+$/, "");
    const [form, named, number] = [this.texts.numbered, this.texts[`value.${kind}`], text.slice(kind.length)];
    const own = number && this.texts[`numbered.${kind}`];
    if (own) return own.replace("{n}", number);
    if (!form || !named || !number) return text;
    return number === "1" ? named : form.replace("{name}", named).replace("{n}", number);
  }

  /** @param {unknown} value @param {number} count */
  times(value, count) {
    return count === 1 ? this.value(value) : `${count} × ${this.value(value)}`;
  }

  /** The name of a field of a view, an action or the options. @param {string} name */
  field(name) {
    return this.texts[`field.${name}`] ?? spaced(name);
  }

  /** What goes by this identifier: by its text, else the identifier itself. @param {string} id */
  named(id) {
    return this.texts[`value.${id}`] ?? this.texts[`field.${id}`] ?? this.numbered(id);
  }

  /** The name of a type of action or step. @param {string} tag */
  type(tag) {
    return this.texts[`menu.${tag}`] ?? spaced(tag);
  }

  /** A seat as the texts of effects call it. @param {number | string} number */
  seat(number) {
    if (typeof number === "string") return spaced(number);
    return spaced((this.texts.seat ?? "seat {n}").replace("{n}", String(number)));
  }

  /** Who sits there. @param {number} number */
  holder(number) {
    const seat = this.seats[number];
    if (!seat || seat.player === null || seat.player === undefined) return "free";
    if (seat.player === this.me) return "you";
    if (String(seat.player).startsWith("bot:")) return botName(seat.player);
    return seat.name || `player ${String(seat.player).slice(-4)}`;
  }

  /** Seat and holder. @param {number} number */
  who(number) {
    return `${this.seat(number)} (${this.holder(number)})`;
  }
}

/** Equal neighbours counted, in their order. @param {unknown[]} values @returns {[unknown, number][]} */
export function counted(values) {
  /** @type {[unknown, number][]} */
  const found = [];
  for (const value of values) {
    const last = found.at(-1);
    if (last && JSON.stringify(last[0]) === JSON.stringify(value)) last[1] += 1;
    else found.push([value, 1]);
  }
  return found;
}

// Made once: making a formatter takes far longer than using it.
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hourCycle: "h23" });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** @param {string} time RFC 3339 */
export const clock = (time) => CLOCK.format(new Date(time));

/** @param {string} time RFC 3339 */
export const day = (time) => DAY.format(new Date(time));
