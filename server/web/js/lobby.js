// @ts-check
// The list of games: what you owe first, then open, running and ended ones.

import { get, named, session } from "./api.js";
import { button, fill, h, replace, select } from "./dom.js";
import { day, spaced, Words } from "./words.js";

/** @typedef {Record<string, any>} Json */

const PAGE = 20;
const SECTIONS = /** @type {[string, string][]} */ ([
  ["open", "Open"],
  ["running", "Running"],
  ["ended", "Ended"],
]);

/** @param {HTMLElement} main */
export async function showLobby(main) {
  const titles = new Map((await get("/v1/rulesets")).rulesets.map((/** @type {Json} */ one) => [one.ruleset, one.title]));
  const search = /** @type {HTMLInputElement} */ (h("input", { type: "search", placeholder: "part of its name" }));
  const mine = session.player ? /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" })) : null;
  const which = select([["", "all games"], ...titles], "");
  const owed = h("div");
  const lists = SECTIONS.map(([status, title]) => ({ status, title, element: h("section") }));
  const ask = () => {
    const query = new URLSearchParams({ limit: String(PAGE) });
    if (search.value.trim()) query.set("text", search.value.trim());
    if (which.value) query.set("ruleset", which.value);
    if (mine?.checked) query.set("player", session.player?.player);
    return Promise.all(lists.map((list) => fillList(list, query, titles)));
  };
  let wait = setTimeout(() => {}, 0);
  search.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(ask, 250);
  });
  for (const field of [which, mine]) field?.addEventListener("change", ask);
  fill(
    main,
    h("div", { class: "row between" }, h("h1", {}, "Games"), h("a", { class: "button main", href: "#/new" }, "New game")),
    owed,
    h(
      "form",
      { class: "row", role: "search", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      h("label", { class: "inline" }, h("span", {}, "Search"), search),
      h("label", { class: "inline" }, h("span", {}, "Ruleset"), which),
      mine && h("label", { class: "inline" }, mine, h("span", {}, "only mine")),
      button("Refresh", () => Promise.all([ask(), fillOwed(owed, titles)]), { class: "plain" }),
    ),
    lists.map((list) => list.element),
  );
  await Promise.all([ask(), fillOwed(owed, titles)]);
}

/** What waits for the player. @param {HTMLElement} element @param {Map<string, string>} titles */
async function fillOwed(element, titles) {
  if (!session.player) return;
  const owed = await get("/v1/me/decisions?limit=20");
  const waiting = [
    ...owed.decisions.map((/** @type {Json} */ one) => ({ ...one, text: one.decision.text })),
    ...owed.requests.map((/** @type {Json} */ one) => ({ ...one, text: "a request to go back waits for your answer" })),
  ];
  const games = [...new Map(waiting.map((one) => [one.game, one])).values()];
  replace(
    element,
    games.length > 0 &&
      h(
        "section",
        { class: "owed", "aria-label": "Waiting for you" },
        h("h2", {}, "Waiting for you ", h("span", { class: "count" }, games.length)),
        h(
          "ul",
          { class: "rows" },
          games.map((one) => h("li", {}, h("a", { href: `#/games/${one.game}` }, nameOf(one, titles)), " ", h("span", { class: "quiet" }, one.text))),
        ),
      ),
  );
}

/** @param {{status: string, title: string, element: HTMLElement}} list @param {URLSearchParams} query @param {Map<string, string>} titles */
async function fillList({ status, title, element }, query, titles) {
  /** @type {Json[]} */
  const games = [];
  const more = async (/** @type {string | null} */ cursor) => {
    const asked = new URLSearchParams(query);
    asked.set("status", status);
    if (cursor) asked.set("cursor", cursor);
    const page = await get(`/v1/games?${asked}`);
    games.push(...(await Promise.all(page.games.map(async (/** @type {Json} */ game) => ({ ...game, seats: await named(game.seats) })))));
    replace(
      element,
      h("h2", {}, title),
      games.length ? h("ul", { class: "rows" }, games.map((game) => row(game, titles))) : h("p", { class: "quiet" }, "None."),
      page.next && button("Show more", () => more(page.next), { class: "plain", "data-key": `more ${page.next}` }),
    );
  };
  await more(null);
}

/** @param {Json} game @param {Map<string, string>} titles */
function row(game, titles) {
  const words = new Words({}, game.seats, session.player?.player);
  const own = game.seats.some((/** @type {Json} */ seat) => seat.player !== null && seat.player === session.player?.player);
  return h(
    "li",
    {},
    h("a", { href: `#/games/${game.game}` }, nameOf(game, titles)),
    h(
      "span",
      { class: "tags" },
      own && h("span", { class: "badge" }, "yours"),
      game.open_seats > 0 && h("span", { class: "badge free" }, `${game.open_seats} free`),
      game.sandbox && h("span", { class: "badge" }, "sandbox"),
      game.visibility !== "public" && h("span", { class: "badge" }, game.visibility),
    ),
    h("span", { class: "quiet" }, game.seats.map((/** @type {Json} */ seat) => words.holder(seat.seat)).join(", ")),
    h("span", { class: "quiet when" }, `version ${game.version} · `, h("time", { datetime: game.updated_at }, day(game.updated_at))),
  );
}

/** @param {Json} game @param {Map<string, string>} titles */
const nameOf = (game, titles) => {
  const title = titles.get(game.ruleset) ?? spaced(game.ruleset);
  return game.name ? `${game.name} · ${title}` : `${title} ${game.game.slice(-4)}`;
};
