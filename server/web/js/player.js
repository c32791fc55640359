// @ts-check
// Who plays here: a guest signs up with one button; the token stays in this browser.

import { get, post, Problem, session } from "./api.js";
import { button, byId, confirmed, h, replace } from "./dom.js";

/** Find out whom the kept token belongs to; a token that is no longer good is forgotten. */
export async function remember() {
  if (!session.token) return;
  try {
    session.player = await get("/v1/me");
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "unauthenticated") throw error;
    session.token = "";
  }
}

/** @param {string} name may be empty */
export async function signUp(name) {
  const made = await post("/v1/players", name ? { name } : {});
  session.token = made.token;
  session.player = made;
}

/** The corner of the page that says who you are. @param {() => unknown} changed @param {(error: unknown) => unknown} failed */
export function showPlayer(changed, failed) {
  const corner = byId("player");
  if (session.player === null) {
    const name = /** @type {HTMLInputElement} */ (h("input", { type: "text", maxlength: 40, placeholder: "Your name", "aria-label": "Your name (may be left out)", autocomplete: "nickname" }));
    const enter = async (/** @type {Event} */ event) => {
      event.preventDefault();
      await signUp(name.value.trim()).then(changed, failed);
    };
    replace(corner, h("form", { class: "row", onsubmit: enter }, name, h("button", { class: "main" }, "Play as a guest")));
    return;
  }
  const leave = async () => {
    if (!(await confirmed("Forget this player in this browser? The seats of a guest cannot be taken up again.", "Forget"))) return;
    session.token = "";
    session.player = null;
    changed();
  };
  const player = session.player;
  replace(corner, h("span", { class: "me" }, player.name || `Guest ${player.player.slice(-4)}`), button("Sign out", leave, { class: "plain" }));
}
