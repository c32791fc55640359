// @ts-check
// Making a game: which ruleset, who sits where, its options and policies.

import { get, post, randomKey, ruleset, session } from "./api.js";
import { clockForm } from "./clockform.js";
import { fill, h, labelled, replace, select } from "./dom.js";
import { schemaForm } from "./form.js";
import { signUp } from "./player.js";
import { botName, Words } from "./words.js";

/** @typedef {Record<string, any>} Json */

const UNDO = /** @type {[string, string][]} */ ([
  ["", "usual: free for one human, else fair"],
  ["free", "free: at once, without asking"],
  ["fair", "fair: the others are asked if it concerns them"],
  ["off", "off: no undo"],
]);
const VISIBILITY = /** @type {[string, string][]} */ ([
  ["public", "public: listed for everybody"],
  ["unlisted", "unlisted: for those who have its address"],
  ["private", "private: for its players and those invited"],
]);
/** What spectators see, or by how many seconds they see it later. */
const SPECTATORS = /** @type {[string, string][]} */ ([
  ["0", "yes, as it is played"],
  ["60", "yes, a minute later"],
  ["300", "yes, 5 minutes later"],
  ["900", "yes, 15 minutes later"],
  ["3600", "yes, an hour later"],
  ["no", "no"],
]);

/** @param {HTMLElement} main @param {(error: unknown) => unknown} failed @param {() => unknown} changed */
export async function showNewGame(main, failed, changed) {
  const { rulesets } = await get("/v1/rulesets");
  const part = h("div");
  const choose = select(rulesets.map((/** @type {Json} */ one) => [one.ruleset, one.title]), rulesets[0]?.ruleset);
  const show = async () => {
    const wanted = choose.value;
    fill(part, h("p", { class: "quiet" }, "Fetching its options…"));
    const form = await gameForm(await ruleset(wanted), failed, changed);
    if (choose.value === wanted) fill(part, ...form); // else another one has been chosen meanwhile
  };
  choose.addEventListener("change", () => show().catch(failed));
  fill(main, h("h1", {}, "New game"), h("div", { class: "form" }, labelled("Ruleset", choose)), part);
  if (rulesets.length) await show();
}

/** @param {Json} rules @param {(error: unknown) => unknown} failed @param {() => unknown} changed */
async function gameForm(rules, failed, changed) {
  const words = new Words(rules.texts.en ?? {});
  const { min, max } = rules.seats;
  const many = select(range(min, max).map((n) => [String(n), String(n)]), String(Math.min(Math.max(4, min), max)));
  const seats = h("div", { class: "fields" });
  const plans = [["me", "me"], ["open", "open: anybody may sit down"], ...rules.bots.map((/** @type {string} */ bot) => [bot, botName(bot)])];
  const seatPlans = () => {
    const bot = rules.bots[0] ?? "open";
    const kept = [...seats.querySelectorAll("select")].map((field) => field.value);
    const chosen = range(0, Number(many.value) - 1).map((n) => kept[n] ?? (n === 0 ? "me" : bot));
    replace(seats, chosen.map((plan, n) => labelled(words.seat(n), select(/** @type {[string, string][]} */ (plans), plan))));
  };
  many.addEventListener("change", seatPlans);
  seatPlans();
  const options = schemaForm(rules.schemas.options, words);
  const brings = rules.schemas.setup ? schemaForm(rules.schemas.setup, words) : null;
  const name = /** @type {HTMLInputElement} */ (h("input", { type: "text", maxlength: 80, autocomplete: "off" }));
  const seed = /** @type {HTMLInputElement} */ (h("input", { type: "text", maxlength: 80, autocomplete: "off" }));
  const pack = select(rules.packs.map((/** @type {Json} */ one) => [one.digest, one.name ?? one.digest.slice(0, 12)]), rules.packs[0]?.digest);
  const [undo, visibility] = [select(UNDO, ""), select(VISIBILITY, "public")];
  const clock = clockForm();
  const spectators = select(SPECTATORS, "0");
  const make = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      if (!session.player) await signUp("").then(changed);
      const made = await post("/v1/games", {
        ruleset: rules.ruleset,
        seats: [...seats.querySelectorAll("select")].map((field) => field.value),
        options: options.read(),
        pack: pack.value || undefined,
        name: name.value.trim(),
        undo: undo.value || undefined,
        visibility: visibility.value,
        spectators: spectators.value !== "no",
        spectator_delay_s: Number(spectators.value) || 0,
        ...clock.read(),
        seed: seed.value || undefined,
        setup: brings?.read(),
        entropy: seed.value ? undefined : randomKey(),
      });
      location.hash = `#/games/${made.game}`;
    } catch (error) {
      failed(error);
    }
  };
  return [
    h(
      "form",
      { class: "form", onsubmit: make },
      labelled("Name", name, "may be left out"),
      h("fieldset", {}, h("legend", {}, "Seats"), h("div", { class: "fields" }, labelled("Number of seats", many)), seats),
      h("fieldset", {}, h("legend", {}, "Options"), options.element),
      brings && h("fieldset", {}, h("legend", {}, "What you bring"), brings.element),
      h(
        "fieldset",
        {},
        h("legend", {}, "Policies"),
        h(
          "div",
          { class: "fields" },
          labelled("Undo", undo),
          labelled("Who may see the game", visibility),
          labelled("Spectators", spectators),
          rules.packs.length > 1 && labelled("Content pack", pack),
          labelled("Seed", seed, "leave empty for fair chance; with a seed the game is a sandbox and counts nowhere"),
        ),
      ),
      h("fieldset", {}, h("legend", {}, "Time"), h("div", { class: "fields" }, clock.fields)),
      h("p", {}, h("button", { class: "main" }, "Make the game")),
    ),
  ];
}

/** @param {number} from @param {number} to */
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
