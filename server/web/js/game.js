// @ts-check
// The page of a game: what is owed, the table, the log and the talk.

import { post, Problem, remove, session } from "./api.js";
import { Board } from "./board.js";
import { Decisions, namesIn } from "./actions.js";
import { ClockPanel, proposalPanel } from "./clocks.js";
import { announce, button, fill, h, replace } from "./dom.js";
import { LiveGame } from "./live.js";
import { Log, sentence } from "./log.js";
import { controls, head, nameOf, requestPanel, result, seating } from "./parts.js";

/** @typedef {Record<string, any>} Json */

export class GamePage {
  /** @param {HTMLElement} main @param {string} game @param {URLSearchParams} query @param {(error: unknown) => unknown} failed */
  constructor(main, game, query, failed) {
    this.failed = failed;
    this._wanted = { at: Number(query.get("at")) || null, reader: query.get("seat") };
    this._main = main;
    this.live = new LiveGame(game, query.get("invite") ?? "", {
      changed: (news) => this._changed(news),
      connected: () => this._renderHead(),
      failed,
    });
    const pick = (/** @type {string[]} */ names, /** @type {string} */ told) => this._decisions.at(names, told);
    this.board = new Board(this.live.base, { moved: () => this.render(), read: (reader) => this._read(reader), pick });
    this._head = h("div");
    this._clocks = new ClockPanel(this);
    this._todo = h("section", { class: "panel", "aria-label": "What to do" });
    this._decisions = new Decisions((seat, action) => this.act(seat, action), (seat, text, play) => this.tryOut(seat, text, play));
    this._log = new Log((version) => this.board.look(version));
    this._refused = h("div", { role: "alert" });
    this._talk = this._talkForm();
    /** The address to give to who is invited, once it was made. */
    this.invitation = "";
  }

  async open() {
    await this.live.open(this._wanted.reader);
    const table = h("section", { "aria-label": "The table" }, h("h2", { class: "unseen" }, "The table"), this.board.element);
    const side = h("section", { class: "side", "aria-label": "Log" }, h("h2", {}, "Log"), this._talk, this._log.element);
    fill(this._main, this._head, this._clocks.element, h("div", { class: "columns" }, h("div", { class: "play" }, this._refused, this._todo, table), side));
    this.render();
    if (this._wanted.at) this.board.look(this._wanted.at);
  }

  close() {
    this.board.stop();
    this._clocks.stop();
    this.live.close();
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

  /** @param {number} seat @param {Json} action */
  act(seat, action) {
    return this.run(() => post(`${this.live.base}/actions`, { seat, action }, this.live.version));
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
      await post(`${this.live.base}/check`, { seat, action });
      replace(this._refused, h("p", { class: "accepted" }, "Legal: the rules would take this action now."));
    });
  }

  /** @param {string} path @param {unknown} [body] @param {number | "*"} [version] */
  post(path, body = {}, version = undefined) {
    return this.run(() => post(this.live.base + path, body, version));
  }

  /** Who looks at the page, if he is known. @returns {string | undefined} */
  player() {
    return session.player?.player;
  }

  /** @param {string} path */
  remove(path) {
    return this.run(() => remove(this.live.base + path));
  }

  /** @param {Problem} problem */
  _refuse(problem) {
    const rule = this.live.rules.rules.find((/** @type {Json} */ one) => one.id === problem.rule);
    replace(
      this._refused,
      h(
        "div",
        { class: "refusal" },
        h("p", {}, problem.rule && h("code", {}, problem.rule), problem.message),
        rule && h("p", { class: "quiet" }, rule.text),
        button("Dismiss", () => replace(this._refused), { class: "plain" }),
      ),
    );
  }

  _talkForm() {
    const words = /** @type {HTMLInputElement} */ (
      h("input", { type: "text", maxlength: 500, "aria-label": "Say something to the table", placeholder: "Say something to the table" })
    );
    const say = (/** @type {Event} */ event) => {
      event.preventDefault();
      const said = words.value.trim();
      words.value = "";
      if (said) this.post("/messages", { words: said, seat: this.live.own()[0] });
    };
    return h("form", { class: "row talk", onsubmit: say }, words, h("button", {}, "Say"));
  }

  /** @param {string} reader */
  _read(reader) {
    return this.live.read(reader).catch(this.failed);
  }

  /** @param {Json | null} news the message that brought it, if it was one */
  _changed(news) {
    this.render();
    if (news?.type === "event") announce(sentence(news, this.live.words));
  }

  render() {
    const { live, board } = this;
    const { summary, words } = live;
    board.show({
      words,
      events: live.events,
      first: Math.min(summary.started_version ?? 1, live.version),
      version: live.version,
      view: live.view,
      reader: live.reader,
      readers: live.readers(),
      deciding: live.decisions.filter((decision) => decision.owes).map((decision) => decision.seat),
      own: live.own(),
      may: namesIn(live.decisions),
      newest: summary.status === "ended" ? "To the end" : "Back to now",
    });
    board.element.toggleAttribute("hidden", summary.status === "open");
    this._talk.toggleAttribute("hidden", live.own().length === 0);
    this._log.show(live.events, words, board.shown);
    this._renderHead();
    this._renderTodo();
  }

  _renderHead() {
    document.title = `${this.live.acting().length ? "● " : ""}${nameOf(this)} · turnlog`;
    replace(this._head, head(this), controls(this));
    this._clocks.show();
  }

  _renderTodo() {
    const { summary, decisions, words } = this.live;
    const running = summary.status === "running";
    const past = running && this.board.at !== null;
    this._decisions.show(decisions, words);
    replace(
      this._todo,
      summary.status === "open" && seating(this),
      summary.status === "ended" && result(this),
      summary.request && requestPanel(this),
      running && proposalPanel(this),
      past && h("p", { class: "quiet" }, "You are looking at an earlier version. Go back to now to act."),
      running && !past && !summary.request && !summary.clocks?.paused && [this._otherEyes(), this._decisions.element],
    );
    this._todo.toggleAttribute("hidden", this._todo.childElementCount === 0);
  }

  /** Who holds several seats looks through the eyes of one: offer those of the seat that must act. */
  _otherEyes() {
    const acting = this.live.acting();
    if (acting.length === 0 || acting.includes(Number(this.live.reader))) return null;
    const seat = acting[0];
    return h("p", {}, button(`See the table as ${this.live.words.seat(seat)}`, () => this._read(String(seat)), { "data-key": `see ${seat}` }));
  }
}
