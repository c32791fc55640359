// @ts-check
// Replay files: bring one here, step through it as any reader.

import { get, named, Problem, request, ruleset, session } from "./api.js";
import { Board } from "./board.js";
import { fill, h, labelled, replace } from "./dom.js";
import { Log } from "./log.js";
import { signUp } from "./player.js";
import { Words } from "./words.js";

/** @typedef {Record<string, any>} Json */

const KNOWN = "turnlog.replays";
const KNOWN_MAX = 20;
const EVENTS = 500;

/** Replays that were brought from this browser, newest first. @returns {Json[]} */
const known = () => JSON.parse(localStorage.getItem(KNOWN) ?? "[]");

/** @param {HTMLElement} main @param {() => unknown} changed */
export function showReplays(main, changed) {
  const file = /** @type {HTMLInputElement} */ (h("input", { type: "file", accept: ".ndjson,.jsonl,.txt,application/x-ndjson", required: true }));
  const answer = h("div", { role: "alert" });
  const bring = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const chosen = file.files?.[0];
    if (!chosen) return;
    replace(answer, h("p", { class: "quiet" }, "Checking …"));
    try {
      if (!session.player) await signUp("").then(changed);
      const response = await request("POST", "/v1/replays", { raw: chosen, type: "application/x-ndjson" });
      const made = await response.json();
      const kept = known().filter((/** @type {Json} */ one) => one.replay !== made.replay);
      localStorage.setItem(KNOWN, JSON.stringify([{ ...made, name: chosen.name }, ...kept].slice(0, KNOWN_MAX)));
      location.hash = `#/replays/${made.replay}`;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      replace(answer, h("div", { class: "refusal" }, h("p", {}, error.message)));
    }
  };
  fill(
    main,
    h("h1", {}, "Replays"),
    h("p", {}, "Every ended game can be downloaded as a replay. Bring one here: the server verifies its chain and its dice, then you can step through it."),
    h("form", { class: "form row", onsubmit: bring }, labelled("Replay file", file), h("button", { class: "main" }, "Verify and view")),
    answer,
    known().length > 0 && [
      h("h2", {}, "Brought here before"),
      h(
        "ul",
        { class: "rows" },
        known().map((one) => h("li", {}, h("a", { href: `#/replays/${one.replay}` }, one.name), h("span", { class: "quiet" }, `${one.ruleset} · ${one.version} versions`))),
      ),
    ],
  );
}

/** @param {HTMLElement} main @param {string} replay @param {URLSearchParams} query @returns {Promise<() => void>} what ends it */
export async function showReplay(main, replay, query) {
  const base = `/v1/replays/${encodeURIComponent(replay)}`;
  const events = await allEvents(base);
  const { created, started, ...told } = story(events);
  const seats = await named(told.seats);
  const rules = await ruleset(created.ruleset);
  const words = new Words(rules.texts.en ?? {}, seats, session.player?.player);
  const readers = ["all", ...seats.map((seat) => String(seat.seat)), "spectator"];
  let reader = "all";
  const shown = () => {
    board.show({ words, events, first: started, version: events.length, view: null, reader, readers, deciding: [], own: [], newest: "To the end" });
    log.show(events, words, board.shown);
  };
  const moved = () => log.show(events, words, board.shown);
  const read = (/** @type {string} */ chosen) => {
    reader = chosen;
    shown();
  };
  const board = new Board(base, { moved, read });
  const log = new Log((version) => board.look(version));
  fill(
    main,
    h("div", { class: "row between head" }, h("h1", {}, created.name || rules.title), h("p", { class: "row tags" }, h("span", {}, rules.title), h("span", { class: "badge" }, "replay, verified"))),
    h(
      "div",
      { class: "columns" },
      h("section", { "aria-label": "The table" }, board.element),
      h("section", { class: "side", "aria-label": "Log" }, h("h2", {}, "Log"), log.element),
    ),
  );
  shown();
  board.look(Number(query.get("at")) || started);
  return () => board.stop();
}

/** @param {string} base @returns {Promise<Json[]>} */
async function allEvents(base) {
  /** @type {Json[]} */
  const events = [];
  for (let after = 0; after !== null; ) {
    const page = await get(`${base}/events?after=${after}&limit=${EVENTS}`);
    events.push(...page.events);
    after = page.next;
  }
  return events;
}

/** What the log itself says about a game: what it was made of, who sat where, the version of its start. @param {Json[]} events */
function story(events) {
  const created = events[0].details;
  const seats = Array.from({ length: created.seats }, (_, seat) => ({ seat, player: /** @type {string | null} */ (null) }));
  for (const { kind, details } of events) {
    if (kind === "joined") seats[details.seat].player = details.player;
    if (kind === "left") seats[details.seat].player = null;
  }
  return { created, seats, started: events.find((event) => event.kind === "started")?.version ?? 1 };
}
