// @ts-check
// The clock of a new game: usual ones by name, or as its maker writes it.

import { h, labelled, select } from "./dom.js";

/** @typedef {Record<string, any>} Json */

const PAUSES = { pause_s: 86_400 };
/** @type {Record<string, Json>} */
const CLOCKS = {
  "5+5": { bank_s: 300, increment_s: 5, ...PAUSES },
  "15+10": { bank_s: 900, increment_s: 10, ...PAUSES },
  "60+30": { bank_s: 3600, increment_s: 30, ...PAUSES },
  "20+3x30": { bank_s: 1200, periods: 3, period_s: 30, ...PAUSES },
  "1d": { move_s: 86_400, vacation_s: 604_800, answer_s: 86_400 },
  "3d": { move_s: 259_200, vacation_s: 1_209_600, answer_s: 86_400 },
};
const NAMES = /** @type {[string, string][]} */ ([
  ["", "none"],
  ["5+5", "5 minutes, and 5 seconds a turn"],
  ["15+10", "15 minutes, and 10 seconds a turn"],
  ["60+30", "an hour, and 30 seconds a turn"],
  ["20+3x30", "20 minutes, then 3 periods of 30 seconds"],
  ["1d", "a day for each turn"],
  ["3d", "3 days for each turn"],
  ["own", "another: written as JSON"],
]);
const POLICIES = /** @type {[string, string][]} */ ([
  ["default", "the default answer is given"],
  ["bot", "a bot takes the seat over"],
  ["substitute", "the seat can be offered to others"],
  ["resign", "the seat resigns"],
  ["remind", "nothing, until somebody claims"],
]);

/** Fields for the clock, and what they say as members of a new game. @returns {{fields: HTMLElement[], read: () => Json}} */
export function clockForm() {
  const [clock, policy] = [select(NAMES, ""), select(POLICIES, "default")];
  const grace = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: 0, value: 30 }));
  const own = /** @type {HTMLTextAreaElement} */ (h("textarea", { rows: 3, spellcheck: "false" }));
  own.value = '{"bank_s": 600, "increment_s": 10, "pause_s": 3600}';
  const written = labelled("The clock as JSON", own, "whole seconds; docs/clocks.md has all fields");
  const rest = [labelled("Who is out of time", policy), labelled("Grace before that, in seconds", grace), written];
  const show = () => rest.forEach((field) => field.toggleAttribute("hidden", !clock.value || (field === written && clock.value !== "own")));
  clock.addEventListener("change", show);
  show();
  const read = () => {
    if (!clock.value) return {};
    const told = clock.value === "own" ? JSON.parse(own.value) : CLOCKS[clock.value];
    return { clock: told, on_timeout: { policy: policy.value, grace_s: Number(grace.value) || 0 } };
  };
  return { fields: [labelled("Clock", clock), ...rest], read };
}
