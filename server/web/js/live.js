// @ts-check
// What is known of a game, fetched once and kept up to date by the stream. Nothing here touches the page.

import { get, named, Problem, request, ruleset, session } from "./api.js";
import { ServerTime } from "./clocks.js";
import { Stream } from "./stream.js";
import { Words } from "./words.js";

/** @typedef {Record<string, any>} Json */

const EVENTS = 500;
/** Events after which there is more to know of the game than the stream tells. */
const SUMMARY_KINDS = new Set(["joined", "left", "started", "ended", "rewound", "seat_offered", "replaced"]);
/** What the stream tells of the newest version. */
const TOLD = ["status", "request", "proposal", "outcome", "clocks"];

export class LiveGame {
  /**
   * @param {string} game
   * @param {string} invite the code of an invitation, or empty
   * @param {{changed: (news: Json | null) => void, connected: () => void, failed: (error: unknown) => unknown}} tell
   */
  constructor(game, invite, tell) {
    this.game = game;
    this.base = `/v1/games/${encodeURIComponent(game)}`;
    this.invite = invite;
    this._tell = tell;
    /** Through whose eyes: a seat's number, `spectator`, or after the end `all`. */
    this.reader = "";
    /** @type {Json[]} */
    this.events = [];
    /** @type {Json[]} */
    this.decisions = [];
    /** The newest view. @type {Json | null} */
    this.view = null;
    /** Seats, status, request and result. @type {Json} */
    this.summary = { seats: [] };
    /** The ruleset. @type {Json} */
    this.rules = { title: "", bots: [], rules: [], texts: {} };
    this.words = new Words({});
    this.connection = "connecting";
    /** Who follows the game now, while that is known. @type {{seats: number[], spectators: number} | null} */
    this.present = null;
    this.time = new ServerTime();
    this._closed = false;
    this._queued = 0;
    this._turn = Promise.resolve();
  }

  /** @param {string | null} reader null: the natural one */
  async open(reader) {
    await this.refresh();
    this.rules = await ruleset(this.summary.ruleset);
    this._rename();
    this.reader = reader ?? this.readers()[0];
    if (this.outside()) return;
    await this._fetchAll(this.reader);
    if (!this._closed) this._subscribe();
  }

  close() {
    this._closed = true;
    this._stream?.close();
  }

  /** The version up to which everything is known. */
  get version() {
    return this.events.length;
  }

  /** The seats that are the player's own. @returns {number[]} */
  own() {
    const me = session.player?.player;
    return this.summary.seats.filter((/** @type {Json} */ seat) => me && seat.player === me).map((/** @type {Json} */ seat) => seat.seat);
  }

  /** How many ms after it was played the game is seen: who has no seat sees it by its delay. */
  behind() {
    return this.own().length ? 0 : (this.summary.spectator_delay_s ?? 0) * 1000;
  }

  /** The own seats that must act. @returns {number[]} */
  acting() {
    const own = this.own();
    return this.decisions.filter((decision) => decision.owes && own.includes(decision.seat)).map((decision) => decision.seat);
  }

  /** Whether the player is invited to a private game and has not sat down: its seats are all there is to see. */
  outside() {
    return this.summary.visibility === "private" && this.invite !== "" && this.own().length === 0;
  }

  /** Through whose eyes the player may look. @returns {string[]} */
  readers() {
    const own = this.own().map(String);
    if (this.summary.status !== "ended") return own.length ? own : ["spectator"];
    const others = this.summary.seats.map((/** @type {Json} */ seat) => String(seat.seat)).filter((/** @type {string} */ seat) => !own.includes(seat));
    return [...own, "all", ...others, "spectator"];
  }

  /** Everything again, through the eyes of another reader or now that all is public. @param {string} reader */
  async read(reader) {
    this._stream?.close();
    await this._fetchAll(reader);
    this._tell.changed(null);
    if (!this._closed) this._subscribe();
  }

  async refresh() {
    const summary = await (await request("GET", this.base, { invite: this.invite })).json();
    this.summary = { ...summary, seats: await named(summary.seats) };
    if (summary.clocks) this.time.take(summary.clocks.now, this.behind());
    this._rename();
  }

  _rename() {
    this.words = new Words(this.rules.texts.en ?? {}, this.summary.seats, session.player?.player);
  }

  /** Everything as a reader sees it; what was known before stays until all of it is there. @param {string} reader */
  async _fetchAll(reader) {
    const [events, view, decisions] = await Promise.all([
      this._fetchEvents(reader, 0),
      get(`${this.base}/view?seat=${reader}`),
      this._fetchDecisions(),
    ]);
    Object.assign(this, { reader, events, view: view.version === events.length ? view.view : null, decisions });
    await this._fetchWords();
    // What happened while this was fetched comes by no stream any more: the game may even have ended.
    if (this.summary.version < events.length) await this.refresh();
  }

  /** @param {string} reader @param {number} after a version @returns {Promise<Json[]>} all events behind it */
  async _fetchEvents(reader, after) {
    const events = [];
    for (let next = after; next !== null; ) {
      const page = await get(`${this.base}/events?after=${next}&limit=${EVENTS}&seat=${reader}`);
      events.push(...page.events);
      next = page.next;
    }
    return events;
  }

  /** @returns {Promise<Json[]>} */
  async _fetchDecisions() {
    return (await get(`${this.base}/actions`)).decisions;
  }

  /** Table talk: its words are kept beside the log. */
  async _fetchWords() {
    for (const event of this.events.filter((one) => one.kind === "said" && one.words === undefined)) {
      event.words = await this._words(event.version);
    }
  }

  /** @param {number} version @returns {Promise<string | null>} null if they were erased */
  async _words(version) {
    try {
      return (await get(`${this.base}/messages/${version}`)).words;
    } catch (error) {
      if (error instanceof Problem && error.code === "not_found") return null;
      throw error;
    }
  }

  _subscribe() {
    this._stream?.close();
    const seat = /^\d+$/.test(this.reader) ? Number(this.reader) : this.reader;
    this._stream = new Stream(
      this.game,
      { seat, after: this.version },
      (message) => {
        if (message.now) this.time.take(message.now);
        if (message.type === "presence") this._meet(message);
        else this._queue(message);
      },
      (connection, detail) => {
        this.connection = detail ? `${connection}: ${detail}` : connection;
        if (connection !== "live") this.present = null;
        if (!this._closed) this._tell.connected();
      },
    );
  }

  /** @param {Json} message of the stream: who is there, which is no part of the game's course */
  _meet({ seats, spectators }) {
    this.present = { seats, spectators };
    if (!this._closed) this._tell.connected();
  }

  /** Messages are taken one after the other, and the page is told when none is left. @param {Json} message */
  _queue(message) {
    const stream = this._stream;
    this._queued += 1;
    this._turn = this._turn
      .then(() => (stream === this._stream ? this._take(message) : undefined))
      .catch(this._tell.failed)
      .then(() => {
        this._queued -= 1;
        if (this._queued === 0 && !this._closed) this._tell.changed(message);
      });
  }

  /** @param {Json} message of the stream */
  async _take(message) {
    if (message.type === "event") {
      this.events[message.version - 1] = message;
      if (message.kind === "said") await this._fetchWords();
    } else {
      for (const event of await this._fetchEvents(this.reader, this.version)) this.events[event.version - 1] = event;
      await this._fetchWords();
    }
    if (message.view !== undefined) this.view = message.view;
    for (const name of TOLD) if (name in message) this.summary[name] = message[name];
    if (message.decisions !== undefined) {
      this.decisions = message.decisions.some((/** @type {Json} */ one) => this._isCut(one)) ? await this._fetchDecisions() : message.decisions;
    }
    if (message.type !== "event" || SUMMARY_KINDS.has(message.kind)) await this.refresh();
    // Who has just sat down sees with other eyes than before, and after the end there is nothing hidden any more.
    const isReader = this.readers().includes(this.reader);
    if (message.kind === "ended" || !isReader) await this.read(isReader ? this.reader : this.readers()[0]);
  }

  /** Whether a decision of an own seat came without all its actions. @param {Json} decision */
  _isCut(decision) {
    return this.own().includes(decision.seat) && (!decision.actions || decision.total > decision.actions.length);
  }
}
