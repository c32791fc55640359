// @ts-check
// The public API: one function a verb, problems as exceptions, repeats made harmless by idempotency keys.

/** How often a request is sent again when the network, not the server, failed. */
const RETRIES_MAX = 2;
const RETRY_MS = 400;
const TOKEN = "turnlog.token";

/** @typedef {Record<string, any>} Json */

/** An error answer (RFC 9457), or a network that is away. */
export class Problem extends Error {
  /** @param {Json} document */
  constructor(document) {
    super(document.detail || document.title || "Something went wrong.");
    this.document = document;
    this.code = String(document.code ?? "");
    this.rule = document.rule ? String(document.rule) : "";
  }
}

export const session = {
  get token() {
    return localStorage.getItem(TOKEN) ?? "";
  },
  set token(secret) {
    if (secret) localStorage.setItem(TOKEN, secret);
    else localStorage.removeItem(TOKEN);
  },
  /** The player that the token belongs to. @type {Json | null} */
  player: null,
};

/**
 * @param {string} method
 * @param {string} path
 * @param {{body?: unknown, raw?: BodyInit, type?: string, version?: number | "*", accept?: string, invite?: string}} [ask]
 * @returns {Promise<Response>}
 */
export async function request(method, path, ask = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: ask.accept ?? "application/json" };
  if (session.token) headers.Authorization = `Bearer ${session.token}`;
  if (ask.version !== undefined) headers["If-Match"] = ask.version === "*" ? "*" : `"${ask.version}"`;
  if (ask.invite) headers["Turnlog-Invite"] = ask.invite;
  if (method === "POST") headers["Idempotency-Key"] = randomKey();
  const body = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
  if (body !== undefined) headers["Content-Type"] = ask.type ?? "application/json";
  const response = await persistent(path, { method, headers, body });
  if (!response.ok) throw new Problem(await problemOf(response));
  return response;
}

/** @param {string} path @param {RequestInit} init @returns {Promise<Response>} */
async function persistent(path, init) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await fetch(path, init);
    } catch (error) {
      if (attempt === RETRIES_MAX) throw new Problem({ code: "offline", detail: "The server cannot be reached." });
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * 2 ** attempt));
    }
  }
}

/** @param {Response} response @returns {Promise<Json>} */
async function problemOf(response) {
  const type = response.headers.get("Content-Type") ?? "";
  if (type.includes("json")) return response.json();
  return { code: "unavailable", detail: `The server answered with status ${response.status}.` };
}

/** @param {string} path @returns {Promise<Json>} */
export const get = async (path) => (await request("GET", path)).json();

/** @param {string} path @param {unknown} [body] @param {number | "*"} [version] @returns {Promise<Json>} */
export const post = async (path, body = {}, version = undefined) =>
  (await request("POST", path, { body, version })).json();

/** @param {string} path */
export const remove = (path) => request("DELETE", path);

/** Random bytes in hexadecimal. `crypto.randomUUID` would need HTTPS. @param {number} [bytes] */
export function randomKey(bytes = 16) {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @type {Map<string, Promise<Json>>} */
const kept = new Map();

/** What does not change, asked for once. @param {string} path @returns {Promise<Json>} */
function once(path) {
  let found = kept.get(path);
  if (found === undefined) {
    found = get(path);
    found.catch(() => kept.delete(path));
    kept.set(path, found);
  }
  return found;
}

/** A ruleset of the catalogue. @param {string} id */
export const ruleset = (id) => once(`/v1/rulesets/${encodeURIComponent(id)}`);

/** Seats with the names of those who sit there. @param {Json[]} seats @returns {Promise<Json[]>} */
export const named = (seats) =>
  Promise.all(
    seats.map(async (seat) => {
      if (!seat.player || seat.player.startsWith("bot:")) return seat;
      const player = await once(`/v1/players/${encodeURIComponent(seat.player)}`).catch(() => ({ name: "" }));
      return { ...seat, name: player.name };
    }),
  );
