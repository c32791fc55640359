// @ts-check
// The stream: one WebSocket for one game, opened again after it broke, from the version that was reached.

import { session } from "./api.js";

/** @typedef {Record<string, any>} Json */
/** @typedef {"connecting" | "live" | "waiting" | "closed"} Connection */

const WAIT_MS = 500;
const WAIT_MS_MAX = 15_000;
/** A silent socket is asked whether it is still there, and given up after as long again. */
const SILENCE_MS = 25_000;

export class Stream {
  /**
   * @param {string} game
   * @param {{seat?: number | string, after: number}} from whose eyes, and the version that is already known
   * @param {(message: Json) => void} told gets events, snapshots, and who is there
   * @param {(connection: Connection, detail: string) => void} changed
   */
  constructor(game, from, told, changed) {
    this._game = game;
    this._seat = from.seat;
    this._after = from.after;
    this._told = told;
    this._changed = changed;
    this._failures = 0;
    this._ended = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this._timer = undefined;
    this._wake = () => this._failures > 0 && this._again(0);
    addEventListener("online", this._wake);
    this._open();
  }

  close() {
    this._ended = true;
    clearTimeout(this._timer);
    removeEventListener("online", this._wake);
    this._socket?.close();
    this._changed("closed", "");
  }

  _open() {
    this._changed("connecting", "");
    const url = new URL("/v1/stream", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    this._socket = socket;
    this._retryAfter = undefined;
    this._final = "";
    this._why = "";
    socket.addEventListener("open", () => {
      this._send({ type: "hello", ...(session.token ? { token: session.token } : {}) });
      const seat = this._seat === undefined ? {} : { seat: this._seat };
      this._send({ type: "subscribe", id: "subscribe", game: this._game, after: this._after, updates: "view", presence: true, ...seat });
      this._listen();
    });
    socket.addEventListener("message", (message) => this._take(JSON.parse(message.data)));
    socket.addEventListener("close", (event) => socket === this._socket && this._closed(event));
  }

  /** @param {Json} message */
  _send(message) {
    this._socket?.send(JSON.stringify(message));
  }

  /** @param {Json} message */
  _take(message) {
    if (this._ended) return;
    this._listen();
    if (message.type === "subscribed") {
      this._failures = 0;
      this._changed("live", "");
    } else if (message.type === "closing") {
      this._retryAfter = message.retry_after;
      if (message.retry_after === undefined) this._final = message.reason;
    } else if (message.type === "event") {
      if (message.version <= this._after) return;
      this._after = message.version;
      this._told(message);
    } else if (message.type === "snapshot" || message.type === "skipped") {
      this._after = Math.max(this._after, message.version ?? message.to);
      this._told(message);
    } else if (message.type === "presence") {
      this._told(message);
    } else if (message.type === "refused" || (message.type === "unsubscribed" && message.problem)) {
      this._retryAfter = message.problem.retry_after;
      if (this._retryAfter === undefined) this._final = message.problem.detail;
      else this._why = message.problem.detail;
      this._socket?.close();
    }
  }

  /** Wait for the next message; if none comes, ask; if still none comes, give the socket up. */
  _listen() {
    clearTimeout(this._timer);
    this._timer = setTimeout(() => {
      this._send({ type: "ping" });
      this._timer = setTimeout(() => this._socket?.close(), SILENCE_MS);
    }, SILENCE_MS);
  }

  /** @param {CloseEvent} event */
  _closed(event) {
    clearTimeout(this._timer);
    if (this._ended) return;
    if (this._final) {
      this._changed("closed", this._final);
      return;
    }
    const wait = Math.min(WAIT_MS * 2 ** this._failures, WAIT_MS_MAX) * (0.5 + Math.random() / 2);
    this._again(Math.max(wait, (this._retryAfter ?? 0) * 1000), event.reason || this._why);
  }

  /** @param {number} wait @param {string} [reason] */
  _again(wait, reason = "") {
    clearTimeout(this._timer);
    this._failures += 1;
    this._changed("waiting", reason);
    this._timer = setTimeout(() => this._open(), wait);
  }
}
