// @ts-check
// A game: what is owed, the table, the log and the talk, kept up to date by the stream.

import { get, named, post, Problem, remove, request, ruleset, session } from "./api.js";
import { Board } from "./board.js";
import { Decisions } from "./actions.js";
import { announce, fill, h, replace } from "./dom.js";
import { Log, sentence } from "./log.js";
import { controls, head, requestPanel, result, seating } from "./parts.js";
import { Stream } from "./stream.js";
import { Words } from "./words.js";

/** @typedef {Record<string, any>} Json */

const EVENTS = 500;
/** Events after which there is more to know of the game than the stream tells. */
const SUMMARY_KINDS = new Set(["joined", "left", "started", "ended", "rewound"]);
/** What the stream tells of the newest version. */
const TOLD = ["status", "request", "outcome"];

export class GamePage {
  /** @param {HTMLElement} main @param {string} game @param {URLSearchParams} query @param {(error: unknown) => unknown} failed */
  constructor(main, game, query, failed) {
    this.game = game;
    this.base = `/v1/games/${encodeURIComponent(game)}`;
    this.failed = failed;
    this.invite = query.get("invite") ?? "";
    this._wanted = { at: Number(query.get("at")) || null, reader: query.get("seat") };
    this._main = main;
    /** @type {Json[]} */
    this.events = [];
    /** @type {Json[]} */
    this.decisions = [];
    /** @type {Json | null} */
    this.view = null;
    /** Seats, status, request and result; known once the page is open. @type {Json} */
    this.summary = { seats: [] };
    this.connection = "connecting";
    this.words = new Words({});
    this._parts = { head: h("div"), todo: h("section", { class: "panel", "aria-label": "What to do" }), talk: h("div") };
    this._decisions = new Decisions((seat, action) => this.act(seat, action), (seat, text, play) => this.tryOut(seat, text, play));
    this._log = new Log((version) => this.board?.look(version));
    this._refused = h("div", { role: "alert" });
    this._closed = false;
    /** The address to give to who is invited, once it was made. */
    this.invitation = "";
  }

  async open() {
    await this.refresh();
    this._rules = await ruleset(this.summary.ruleset);
    this._rename();
    const reader = this._wanted.reader ?? this.readers()[0];
    this.board = new Board(this.base, { reader, moved: () => this.render(), read: (chosen) => this._reread(chosen).catch(this.failed) });
    await this._fetchEvents();
    await this._fetchNow();
    if (this._closed) return;
    this._build();
    this.render();
    if (this._wanted.at) this.board.look(this._wanted.at);
    this._subscribe(this.board.reader);
  }

  close() {
    this._closed = true;
    this.board?.stop();
    this._stream?.close();
  }

  /** The version up to which everything is known. */
  get version() {
    return this.events.length;
  }

  /** The title of the ruleset. */
  get title() {
    return String(this._rules?.title ?? "");
  }

  /** The bots that can be put on seats. @returns {string[]} */
  get bots() {
    return this._rules?.bots ?? [];
  }

  /** The seats that are the player's own. @returns {number[]} */
  own() {
    const me = session.player?.player;
    return this.summary.seats.filter((/** @type {Json} */ seat) => me && seat.player === me).map((/** @type {Json} */ seat) => seat.seat);
  }

  /** Through whose eyes the player may look. @returns {string[]} */
  readers() {
    const own = this.own().map(String);
    if (this.summary.status !== "ended") return own.length ? own : ["spectator"];
    const others = this.summary.seats.map((/** @type {Json} */ seat) => String(seat.seat)).filter((/** @type {string} */ seat) => !own.includes(seat));
    return [...own, "all", ...others, "spectator"];
  }

  /** @param {string} path @returns {Promise<Json>} */
  _get(path) {
    return get(this.base + path);
  }

  _rename() {
    this.words = new Words(this._rules?.texts.en ?? {}, this.summary.seats, session.player?.player);
  }

  async _fetchEvents() {
    for (let after = this.version; after !== null; ) {
      const page = await this._get(`/events?after=${after}&limit=${EVENTS}&seat=${this.board?.reader}`);
      for (const event of page.events) this.events[event.version - 1] = event;
      after = page.next;
    }
    await this._fetchWords();
  }

  /** The view and the decisions as of now. */
  async _fetchNow() {
    if (this.summary.status === "open") return;
    const [view, actions] = await Promise.all([this._get(`/view?seat=${this.board?.reader}`), this._get("/actions")]);
    this.view = view.view;
    this.decisions = actions.decisions;
  }

  async _fetchWords() {
    for (const event of this.events.filter((one) => one.kind === "said" && one.words === undefined)) {
      event.words = await this._words(event.version);
    }
  }

  /** @param {number} version @returns {Promise<string | null>} null if they were erased */
  async _words(version) {
    try {
      return (await this._get(`/messages/${version}`)).words;
    } catch (error) {
      if (error instanceof Problem && error.code === "not_found") return null;
      throw error;
    }
  }

  /** Everything again, through the eyes of another reader or now that all is public. @param {string} reader */
  async _reread(reader) {
    this._stream?.close();
    this.board?.read(reader);
    this.events = [];
    await this._fetchEvents();
    await this._fetchNow();
    this.render();
    this._subscribe(reader);
  }

  /** @param {string} reader */
  _subscribe(reader) {
    this._stream?.close();
    const seat = /^\d+$/.test(reader) ? Number(reader) : reader;
    const failed = (/** @type {unknown} */ error) => this.failed(error);
    this._stream = new Stream(
      this.game,
      { seat, after: this.version },
      (message) => this._take(message).catch(failed),
      (connection, detail) => {
        if (this._closed) return;
        this.connection = detail ? `${connection}: ${detail}` : connection;
        this._renderHead();
      },
    );
  }

  /** @param {Json} message of the stream */
  async _take(message) {
    if (message.type !== "event") {
      await this._fetchEvents();
    } else {
      this.events[message.version - 1] = message;
      if (message.kind === "said") await this._fetchWords();
      announce(sentence(message, this.words));
    }
    if (message.version < this.version && message.type === "event") return;
    if (message.view !== undefined) this.view = message.view;
    this.decisions = message.decisions ?? this.decisions;
    for (const name of TOLD) if (name in message) this.summary[name] = message[name];
    const own = this.own();
    const isCut = (/** @type {Json} */ decision) => own.includes(decision.seat) && decision.total !== decision.actions?.length;
    if (this.decisions.some(isCut)) this.decisions = (await this._get("/actions")).decisions;
    if (message.type !== "event" || SUMMARY_KINDS.has(message.kind)) await this.refresh();
    // Who has just sat down sees with other eyes than before, and after the end there is nothing hidden any more.
    const reader = this.board?.reader ?? "";
    if (message.kind === "ended" || !this.readers().includes(reader)) {
      await this._reread(this.readers().includes(reader) ? reader : this.readers()[0]);
    }
    this.render();
  }

  async refresh() {
    const summary = await (await request("GET", this.base, { invite: this.invite })).json();
    this.summary = { ...summary, seats: await named(summary.seats) };
    this._rename();
  }

  /** Run a command; what comes of it comes by the stream, a refusal is shown. @param {() => Promise<unknown>} command */
  async run(command) {
    replace(this._refused);
    try {
      await command();
    } catch (error) {
      if (error instanceof Problem) this._refuse(error);
      else this.failed(error);
    }
  }

  /** @param {Problem} problem */
  _refuse(problem) {
    replace(
      this._refused,
      h(
        "div",
        { class: "refusal" },
        h("p", {}, problem.rule && h("code", {}, problem.rule), problem.message),
        problem.rule && h("p", { class: "quiet" }, this._rules?.rules.find((/** @type {Json} */ rule) => rule.id === problem.rule)?.text),
        h("button", { type: "button", class: "plain", onclick: () => replace(this._refused) }, "Dismiss"),
      ),
    );
  }

  /** @param {number} seat @param {Json} action */
  act(seat, action) {
    return this.run(() => post(`${this.base}/actions`, { seat, action }, this.version));
  }

  /** An action written by hand: play it, or ask whether it is legal. @param {number} seat @param {string} text @param {boolean} play */
  tryOut(seat, text, play) {
    return this.run(async () => {
      let action;
      try {
        action = JSON.parse(text);
      } catch (error) {
        throw new Problem({ code: "invalid", detail: `This is not JSON: ${error instanceof Error ? error.message : error}` });
      }
      if (play) return this.act(seat, action);
      await post(`${this.base}/check`, { seat, action });
      replace(this._refused, h("p", { class: "accepted" }, "Legal: the rules would take this action now."));
    });
  }

  /** @param {string} path @param {unknown} [body] @param {number} [version] */
  post(path, body = {}, version = undefined) {
    return this.run(() => post(this.base + path, body, version));
  }

  /** @param {string} path */
  remove(path) {
    return this.run(() => remove(this.base + path));
  }

  _build() {
    const words = /** @type {HTMLInputElement} */ (h("input", { type: "text", maxlength: 500, "aria-label": "Say something to the table", placeholder: "Say something to the table" }));
    const say = (/** @type {Event} */ event) => {
      event.preventDefault();
      const said = words.value.trim();
      if (!said) return;
      words.value = "";
      this.post("/messages", { words: said, seat: this.own()[0] });
    };
    const talk = h("form", { class: "row talk", onsubmit: say }, words, h("button", {}, "Say"));
    this._talk = talk;
    fill(
      this._main,
      this._parts.head,
      h(
        "div",
        { class: "columns" },
        h("div", { class: "play" }, this._refused, this._parts.todo, h("section", { "aria-label": "The table" }, this.board?.element ?? null)),
        h("section", { class: "side", "aria-label": "Log" }, h("h2", {}, "Log"), talk, this._log.element),
      ),
    );
  }

  render() {
    if (!this.board || this._closed) return;
    const { summary, words } = this;
    this._renderHead();
    this.board.show({
      words,
      events: this.events,
      first: Math.min(summary.started_version ?? 1, this.version),
      version: this.version,
      view: this.view,
      readers: this.readers(),
      deciding: this.decisions.filter((decision) => decision.owes).map((decision) => decision.seat),
      own: this.own(),
    });
    this.board.element.toggleAttribute("hidden", summary.status === "open");
    this._talk?.toggleAttribute("hidden", this.own().length === 0);
    this._log.show(this.events, words, this.board.shown);
    this._renderTodo();
  }

  _renderHead() {
    replace(this._parts.head, head(this), controls(this));
  }

  _renderTodo() {
    const past = this.board?.at !== null && this.summary.status === "running";
    this._decisions.show(this.decisions, this.words);
    replace(
      this._parts.todo,
      this.summary.status === "open" && seating(this),
      this.summary.status === "ended" && result(this),
      this.summary.request && requestPanel(this),
      past && h("p", { class: "quiet" }, "You are looking at an earlier version. Go back to now to act."),
      !past && !this.summary.request && this.summary.status === "running" && this._decisions.element,
    );
    this._parts.todo.toggleAttribute("hidden", this._parts.todo.childElementCount === 0);
  }
}
