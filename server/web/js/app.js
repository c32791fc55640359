// @ts-check
// The page: one address after the # for each thing that can be shown.

import { Problem } from "./api.js";
import { button, byId, fill, h, replace } from "./dom.js";
import { GamePage } from "./game.js";
import { showLobby } from "./lobby.js";
import { showNewGame } from "./newgame.js";
import { remember, showPlayer } from "./player.js";
import { showReplay, showReplays } from "./replays.js";

const main = byId("main");
/** Ends what the shown page keeps running. @type {() => void} */
let leave = () => {};
/** Counts pages, so that a slow one does not come over a newer one. */
let shown = 0;

/** @param {unknown} error */
function failed(error) {
  console.error(error);
  const text = error instanceof Problem ? error.message : `Something went wrong in this page: ${error instanceof Error ? error.message : error}`;
  const box = byId("problem");
  replace(box, h("div", { class: "refusal" }, h("p", {}, text), button("Dismiss", () => replace(box), { class: "plain" })));
}

async function show() {
  const page = ++shown;
  leave();
  leave = () => {};
  replace(byId("problem"));
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [what, id] = path.split("/");
  const asked = new URLSearchParams(query);
  // Each page fills an element of its own: one that comes late fills one that is no longer shown.
  const place = h("div", { class: "page" }, h("p", { class: "quiet" }, "Loading …"));
  fill(main, place);
  try {
    const ends = await open(what, id, { place, asked });
    if (page === shown) leave = ends;
    else ends();
    const title = place.querySelector("h1")?.textContent;
    if (page === shown && what !== "games") document.title = title ? `${title} · turnlog` : "turnlog";
  } catch (error) {
    if (page !== shown) return;
    fill(place, h("h1", {}, "This cannot be shown"), h("p", {}, error instanceof Error ? error.message : ""), h("p", {}, h("a", { href: "#/" }, "To the games")));
    if (!(error instanceof Problem)) console.error(error);
  }
}

/** @param {string} what @param {string | undefined} id @param {{place: HTMLElement, asked: URLSearchParams}} page @returns {Promise<() => void>} */
async function open(what, id, { place, asked }) {
  if (what === "games" && id) {
    const game = new GamePage(place, id, asked, failed);
    const end = () => game.close();
    leave = end;
    await game.open();
    return end;
  }
  if (what === "replays" && id) return showReplay(place, id, asked);
  if (what === "replays") showReplays(place, player);
  else if (what === "new") await showNewGame(place, failed, player);
  else await showLobby(place);
  return () => {};
}

function player() {
  showPlayer(() => {
    player();
    show();
  }, failed);
}

addEventListener("player", player);
addEventListener("hashchange", () => {
  main.focus();
  show();
});
try {
  await remember();
} catch (error) {
  failed(error);
}
player();
show();
