// @ts-check
// The parts of a game's page that are not the table: its head, seats before the start, requests, result, commands.

import { post, randomKey, request, session } from "./api.js";
import { duration, timeControls } from "./clocks.js";
import { button, confirmed, h } from "./dom.js";
import { schemaForm } from "./form.js";
import { canRedo, canUndo } from "./log.js";
import { signUp } from "./player.js";
import { botName, spaced } from "./words.js";

/** @typedef {Record<string, any>} Json */
/** @typedef {import("./game.js").GamePage} Page */

/** @type {Record<string, string>} */
const CONNECTIONS = { live: "live", connecting: "connecting …", waiting: "connection lost, trying again …", closed: "not connected" };

/** The forms of what a seat brings, which outlast a redrawing of the page. @type {WeakMap<Page, ReturnType<typeof schemaForm>>} */
const FORMS = new WeakMap();

/** @param {Page} page */
function bringsForm(page) {
  const schema = page.live.rules.schemas.setup;
  if (!schema) return null;
  const form = FORMS.get(page) ?? schemaForm(schema, page.live.words);
  FORMS.set(page, form);
  return form;
}

/** What a game is called. @param {Page} page */
export const nameOf = (page) => page.live.summary.name || `${page.live.rules.title} ${page.live.game.slice(-4)}`;

/** Name, status, version and connection. @param {Page} page */
export function head(page) {
  const { summary, connection } = page.live;
  const [state, detail] = connection.split(": ");
  const badges = [summary.status, summary.sandbox && "sandbox", summary.assisted && "assisted", summary.visibility !== "public" && summary.visibility];
  return h(
    "div",
    { class: "row between head" },
    h("h1", {}, nameOf(page)),
    h(
      "p",
      { class: "row tags" },
      h("span", {}, page.live.rules.title),
      badges.filter(Boolean).map((badge) => h("span", { class: `badge ${badge}` }, badge)),
      h("span", { class: "quiet" }, `undo ${summary.undo}`),
      summary.spectator_delay_s > 0 && h("span", { class: "quiet" }, `spectators see it ${duration(summary.spectator_delay_s * 1000)} later`),
      summary.origin && h("a", { href: `#/games/${summary.origin.game}?at=${summary.origin.version}` }, `fork of version ${summary.origin.version}`),
      h("span", { class: "quiet present" }, company(page)),
      h("span", { class: `connection ${state}`, "data-connection": state }, CONNECTIONS[state] + (detail ? `: ${detail}` : "")),
    ),
  );
}

/** Who else follows the game now: holders of seats by name, others by number. @param {Page} page */
function company(page) {
  const { present, words } = page.live;
  if (!present) return "";
  const own = page.live.own();
  const seated = [...new Set(present.seats.filter((seat) => !own.includes(seat)).map((seat) => words.holder(seat)))];
  const watching = present.spectators - (own.length ? 0 : 1);
  const told = [seated.length > 0 && `here: ${seated.join(", ")}`, watching > 0 && `${watching} watching`].filter(Boolean);
  return told.join(" · ") || "nobody else is here";
}

/** Seats before the start: sit down, put a bot there, leave, begin. @param {Page} page */
export function seating(page) {
  const { summary, words } = page.live;
  const creator = summary.creator === session.player?.player;
  const brings = bringsForm(page);
  const sit = async (/** @type {number} */ seat) => {
    if (!session.player) await signUp("").then(() => dispatchEvent(new Event("player")));
    const first = page.live.outside();
    const setup = brings?.read();
    await page.post(`/seats/${seat}`, { entropy: randomKey(), setup, ...(page.live.invite ? { invite: page.live.invite } : {}) });
    if (first) await page.run(() => page.open());
  };
  const row = (/** @type {Json} */ seat) => {
    const own = seat.player !== null && seat.player === session.player?.player;
    return h(
      "li",
      { class: "row" },
      h("b", {}, words.seat(seat.seat)),
      h("span", { class: seat.player === null ? "quiet" : null }, words.holder(seat.seat)),
      seat.player === null && button("Sit down", () => sit(seat.seat), { class: "main", "data-key": `sit ${seat.seat}` }),
      seat.player === null && creator && page.live.rules.bots.map((/** @type {string} */ bot) => button(`Put ${botName(bot)} here`, () => page.post(`/seats/${seat.seat}`, { bot: bot.replace(/^bot:/, "") }), { "data-key": `bot ${bot} ${seat.seat}` })),
      (own || (seat.player?.startsWith("bot:") && creator)) && button(own ? "Leave" : "Send away", () => page.remove(`/seats/${seat.seat}`), { "data-key": `leave ${seat.seat}` }),
    );
  };
  const fill = page.live.rules.bots[0];
  return h(
    "div",
    {},
    h("h2", {}, "Seats"),
    h("p", { class: "quiet" }, "The game starts when all seats are taken."),
    brings && h("fieldset", {}, h("legend", {}, "What you bring"), brings.element),
    h("ul", { class: "seating" }, summary.seats.map(row)),
    creator && fill !== undefined && button(`Start now, with ${botName(fill)} on the free seats`, () => page.post("/start", { fill }), { "data-key": "start" }),
    creator && summary.visibility === "private" && invitation(page),
  );
}

/** @param {Page} page */
function invitation(page) {
  const make = () =>
    page.run(async () => {
      const { code } = await post(`${page.live.base}/invites`);
      page.invitation = `${location.origin}/#/games/${page.live.game}?invite=${code}`;
      page.render();
    });
  return h("p", { class: "row" }, button("Make an invitation", make, { "data-key": "invite" }), h("output", { class: "code" }, page.invitation));
}

/** An open request to rewind: answer it, or take it back. @param {Page} page */
export function requestPanel(page) {
  const { summary, words } = page.live;
  const asked = summary.request;
  const own = page.live.own();
  const answer = (/** @type {boolean} */ accept) => page.post(`/undo/${asked.id}/answer`, { accept });
  return h(
    "div",
    { class: "request" },
    h("p", {}, h("b", {}, words.who(asked.seat)), ` asks to take the game to how it was at version ${asked.to}. `, asked.assisted && "Something that was learnt would be taken back."),
    h("p", { class: "quiet" }, `Still to answer: ${asked.asked.map((/** @type {number} */ seat) => words.who(seat)).join(", ")}. Until then nothing else moves.`),
    h(
      "p",
      { class: "row" },
      button(`Look at version ${asked.to}`, () => page.board.look(asked.to), { "data-key": `look ${asked.id}` }),
      asked.asked.some((/** @type {number} */ seat) => own.includes(seat)) && [
        button("Agree", () => answer(true), { class: "main", "data-key": `agree ${asked.id}` }),
        button("Refuse", () => answer(false), { "data-key": `refuse ${asked.id}` }),
      ],
      own.includes(asked.seat) && button("Withdraw the request", () => page.remove(`/undo/${asked.id}`), { "data-key": `withdraw ${asked.id}` }),
    ),
  );
}

/** How it ended. @param {Page} page */
export function result(page) {
  const outcome = page.live.summary.outcome;
  if (!outcome) return null;
  const { words } = page.live;
  const seats = page.live.summary.seats.map((/** @type {Json} */ seat) => seat.seat);
  seats.sort((/** @type {number} */ a, /** @type {number} */ b) => (outcome.places?.[a] ?? 0) - (outcome.places?.[b] ?? 0));
  const winners = outcome.winners.map((/** @type {number} */ seat) => words.who(seat)).join(", ");
  return h(
    "div",
    { class: "result" },
    h("h2", {}, winners ? `Won by ${winners}` : "Nobody won"),
    h("p", { class: "quiet" }, `Reason: ${words.texts[`value.${outcome.reason}`] ?? spaced(outcome.reason)}`),
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ["Place", "Seat", "Score"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, seats.map((/** @type {number} */ seat) => h("tr", {}, h("td", {}, outcome.places?.[seat]), h("th", { scope: "row" }, words.who(seat)), h("td", {}, outcome.scores?.[seat])))),
    ),
  );
}

/** Undo, redo, resign, fork, replay. @param {Page} page */
export function controls(page) {
  const { board, live: { summary, reader } } = page;
  const own = page.live.own();
  const playing = summary.status === "running" && own.length > 0;
  const seat = own.includes(Number(reader)) ? Number(reader) : own[0];
  const free = !summary.request && summary.undo !== "off";
  const at = board.at;
  const forkable = summary.status === "ended" || (summary.sandbox && summary.creator === session.player?.player);
  const key = (/** @type {string} */ name) => ({ "data-key": `${name} ${seat}` });
  return h(
    "div",
    { class: "row commands", role: "group", "aria-label": "Commands" },
    playing && free && button("Undo", () => page.post("/undo", { seat }, "*"), { disabled: !canUndo(page.live.events, seat), ...key("undo") }),
    playing && free && button("Redo", () => page.post("/redo", { seat }, "*"), { disabled: !canRedo(page.live.events), ...key("redo") }),
    playing && free && at !== null && button(`Take the game back to version ${at}`, () => rewind(page, seat, at), key("rewind")),
    playing && button("Resign", () => resign(page, seat), key("resign")),
    ...timeControls(page, seat),
    forkable && session.player && summary.started_version && button(`Fork from version ${board.shown}`, () => fork(page), key("fork")),
    button(summary.status === "ended" ? "Download the replay" : "Download what you may see", () => page.run(() => download(page)), key("download")),
  );
}

/** @param {Page} page @param {number} seat @param {number} to */
async function rewind(page, seat, to) {
  await page.post("/undo", { seat, to }, page.live.version);
  page.board.look(null);
}

/** @param {Page} page @param {number} seat */
async function resign(page, seat) {
  if (await confirmed(`Give up as ${page.live.words.seat(seat)}?`, "Resign")) await page.post("/resign", { seat });
}

/** @param {Page} page */
function fork(page) {
  return page.run(async () => {
    const made = await post(`${page.live.base}/fork`, { at: page.board.shown });
    location.hash = `#/games/${made.game}`;
  });
}

/** @param {Page} page */
async function download(page) {
  const response = await request("GET", `${page.live.base}/replay`, { accept: "*/*" });
  const link = /** @type {HTMLAnchorElement} */ (h("a", { href: URL.createObjectURL(await response.blob()), download: `${page.live.summary.ruleset}-${page.live.game}.ndjson` }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
