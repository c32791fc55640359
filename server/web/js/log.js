// @ts-check
// The log of a game, newest on top: who did what, what came of it, what was taken back.

import { button, h, held, replace } from "./dom.js";
import { clock, spaced, Words } from "./words.js";

/** @typedef {Record<string, any>} Json */

const SHOWN = 100;

/**
 * The versions that the state of `version` came by, abandoned ones left out.
 * @param {Json[]} events in order, of versions 1, 2, …
 * @param {number} version
 * @returns {Set<number>}
 */
export function lineOf(events, version) {
  const line = new Set();
  for (let at = version; at > 0; ) {
    line.add(at);
    const event = events[at - 1];
    at = event?.kind === "rewound" ? event.details.to : at - 1;
  }
  return line;
}

/** Whether a seat has acted on the line of play, so that there is something to undo. @param {Json[]} events @param {number} seat */
export function canUndo(events, seat) {
  const line = lineOf(events, events.length);
  return events.some((event) => event.kind === "acted" && event.seat === seat && line.has(event.version));
}

/** Whether the newest rewind left something behind and play has not gone on since. @param {Json[]} events */
export function canRedo(events) {
  const rewind = events.findLast((event) => event.kind === "rewound");
  if (!rewind || events.slice(rewind.version).some(mayMove)) return false;
  const states = (/** @type {number} */ version) => [...lineOf(events, version)].filter((one) => mayMove(events[one - 1]));
  const [now, left] = [states(rewind.details.to), new Set(states(rewind.version - 1))];
  return now.length < left.size && now.every((version) => left.has(version));
}

export class Log {
  /** @param {(version: number) => unknown} look */
  constructor(look) {
    this._look = look;
    this._shown = SHOWN;
    this._more = () => {};
    this._at = 0;
    /** @type {Map<number, {event: Json, words: Words, gone: boolean, current: boolean, entry: HTMLElement}>} */
    this._entries = new Map();
    this.element = h("div", { class: "log" });
  }

  /** @param {Json[]} events @param {Words} words @param {number} at the version that is shown on the table */
  show(events, words, at) {
    const line = lineOf(events, events.length);
    if (at !== this._at) this._shown = Math.max(this._shown, events.length - at + 1);
    const shown = events.slice(-this._shown).reverse();
    this._more = () => {
      this._shown += SHOWN;
      this.show(events, words, at);
    };
    replace(
      this.element,
      h("ol", { reversed: true, start: events.length }, shown.map((event) => this._kept(event, words, { line, at }))),
      events.length > shown.length && button(`Show earlier ones (${events.length - shown.length})`, () => this._more(), { class: "plain", "data-key": "earlier" }),
    );
    if (at !== this._at && at < events.length) this._scroll();
    this._at = at;
  }

  /** Bring the entry of the version that is shown into sight, without moving the page. */
  _scroll() {
    const entry = /** @type {HTMLElement | null} */ (this.element.querySelector(".current"));
    if (entry) this.element.scrollTop = entry.offsetTop - this.element.clientHeight / 3;
  }

  /** The entry as it was made before, if nothing of it has changed. @param {Json} event @param {Words} words @param {{line: Set<number>, at: number}} where */
  _kept(event, words, { line, at }) {
    const gone = moves(event) && !line.has(event.version);
    const current = event.version === at;
    const kept = this._entries.get(event.version);
    if (kept?.event === event && kept.words === words && kept.gone === gone && kept.current === current) return kept.entry;
    const entry = held(this._entry(event, words, { gone, current }));
    this._entries.set(event.version, { event, words, gone, current, entry });
    return entry;
  }

  /** @param {Json} event @param {Words} words @param {{gone: boolean, current: boolean}} how */
  _entry(event, words, { gone, current }) {
    const effects = told(event);
    return h(
      "li",
      { class: gone && current ? "gone current" : gone ? "gone" : current ? "current" : null, "data-kind": event.kind },
      h(
        "div",
        { class: "head" },
        button(`${event.version}`, () => this._look(event.version), {
          class: "version",
          title: "Show the table at this version",
          "aria-label": `Show version ${event.version}`,
          "aria-current": current ? "true" : null,
          "data-key": `version ${event.version}`,
        }),
        h("span", {}, h("span", { class: "what" }, sentence(event, words)), gone && h("span", { class: "badge" }, "taken back")),
        event.at && h("time", { datetime: event.at }, clock(event.at)),
      ),
      effects.length > 0 && h("ul", {}, effects.map((text) => h("li", {}, text))),
    );
  }
}

/** Whether an event is part of a line of play. @param {Json} event */
const moves = (event) => (event.effects?.length ?? 0) > 0;

/** Whether it may be: of what is hidden nobody can tell. @param {Json} event */
const mayMove = (event) => moves(event) || event.kind === "hidden";

/** What came of an event, in words; what the rules have noted for themselves is left out. @param {Json} event @returns {string[]} */
export function told(event) {
  const labels = /** @type {Json[]} */ (event.labels ?? []);
  return labels.filter((_, n) => event.effects[n]?.effect !== "agenda_set").map((label) => label.text ?? label.key);
}

/** @type {Record<string, (event: Json, words: Words) => string>} */
const SENTENCES = {
  hidden: () => "Something that you may not know of",
  created: () => "The game was made",
  joined: (event, words) => `${words.who(event.details.seat)} sat down`,
  left: (event, words) => `${words.seat(event.details.seat)} is free again`,
  started: () => "The game started",
  rewound: (event, words) => `${words.who(event.seat)} took the game to how it was at version ${event.details.to}`,
  undo_requested: (event, words) => `${words.who(event.seat)} asks to take the game to how it was at version ${event.details.to}`,
  undo_answered: (event, words) => `${words.who(event.seat)} ${event.details.accept ? "agrees" : "refuses"}`,
  undo_withdrawn: (event, words) => `${words.who(event.seat)} takes the request back`,
  said: (event, words) => `${words.who(event.seat)}: ${event.words ?? "(said something that was erased)"}`,
  repaired: (event, words) => `An operator acted for ${words.who(event.seat)}: ${event.details.reason}`,
  undo_expired: () => "Nobody has answered the request in time",
  proposed: (event, words) => `${words.who(event.seat)} proposes to ${{ pause: "pause the game", resume: "go on", abandon: "end the game" }[/** @type {"pause"} */ (event.details.what)]}`,
  proposal_answered: (event, words) => `${words.who(event.seat)} is ${event.details.accept ? "for it" : "against it"}`,
  proposal_withdrawn: (event, words) => `${words.who(event.seat)} takes the proposal back`,
  proposal_expired: () => "The proposal was not carried in time",
  paused: (event, words) => ((event.details.seat ?? null) === null ? "The game is paused" : `${words.who(event.details.seat)} is on vacation`),
  resumed: (event, words) => ((event.details.seat ?? null) === null ? "The game goes on" : `${words.who(event.details.seat)} is back from vacation`),
  reminded: (event, words) => `${words.who(event.details.seat)} is out of time`,
  expired: (event, words) => `Time has run out for ${words.who(event.details.seat)} (${event.details.policy})`,
  seat_offered: (event, words) => `${words.seat(event.details.seat)} is offered to others`,
  replaced: (event, words) => `Somebody else plays as ${words.seat(event.details.seat)}`,
  invited: () => "An invitation was made",
  ended: () => "The game is over",
};

/** What happened, in a line. @param {Json} event @param {Words} words */
export function sentence(event, words) {
  const fixed = SENTENCES[event.kind];
  if (fixed) return fixed(event, words);
  const who = event.seat === undefined ? "" : `${words.who(event.seat)}: `;
  return who + (event.label?.text ?? spaced(event.kind));
}
