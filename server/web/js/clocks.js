// @ts-check
// Clocks that run by the server's time, whatever the clock of this machine says; pauses, and seats out of time.

import { button, confirmed, h, replace } from "./dom.js";

/** @typedef {Record<string, any>} Json */
/** @typedef {import("./game.js").GamePage} Page */

const TICK_MS = 200;
/** Below this a clock that runs is a warning. */
const LOW_MS = 20_000;
/** Clocks drift: how long it is believed how far the server's was ahead. */
const BELIEVED_MS = 300_000;
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

/** What time it is on the server: a message may come late but not early, so the largest difference seen is the best. */
export class ServerTime {
  constructor() {
    /** When a message came, and how far ahead it said the server is. @type {{at: number, ahead: number}[]} */
    this._seen = [];
  }

  /** @param {string} now the server's time in a message that comes in now @param {number} behind by how many ms it is less */
  take(now, behind = 0) {
    const at = Date.now();
    this._seen = this._seen.filter((one) => at - one.at < BELIEVED_MS);
    this._seen.push({ at, ahead: Date.parse(now) + behind - at });
  }

  now() {
    return Date.now() + Math.max(...(this._seen.length ? this._seen.map((one) => one.ahead) : [0]));
  }
}

/** So much time, as clocks show it. @param {number} ms */
export function duration(ms) {
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (ms >= 2 * DAY) return `${Math.floor(ms / DAY)} days ${Math.floor((ms % DAY) / HOUR)} h`;
  if (ms >= HOUR) return `${Math.floor(ms / HOUR)}:${two(Math.floor((ms % HOUR) / MINUTE))}:${two(Math.floor((ms % MINUTE) / SECOND))}`;
  if (ms >= LOW_MS) return `${Math.floor(ms / MINUTE)}:${two(Math.floor((ms % MINUTE) / SECOND))}`;
  return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
}

/**
 * Of what is left, what the periods behind the one that runs (or behind the bank) have.
 * @param {number} left @param {number} periods @param {number} period how long each is
 */
function kept(left, periods, period) {
  if (!periods) return 0;
  return left > periods * period ? periods * period : Math.max(0, Math.ceil(left / period) - 1) * period;
}

export class ClockPanel {
  /** @param {Page} page */
  constructor(page) {
    this._page = page;
    this.element = h("section", { class: "clocks", "aria-label": "Clocks" });
    this._timer = setInterval(() => this.tick(), TICK_MS);
  }

  stop() {
    clearInterval(this._timer);
  }

  tick() {
    for (const face of this.element.querySelectorAll("[data-deadline]")) {
      if (!(face instanceof HTMLElement)) continue;
      const left = Math.max(0, Date.parse(face.dataset.deadline ?? "") - this._page.live.time.now() + this._page.live.behind());
      face.textContent = duration(left - kept(left, Number(face.dataset.periods), Number(face.dataset.period)));
      face.parentElement?.classList.toggle("low", left < LOW_MS);
    }
  }

  /** What the clocks say now. */
  show() {
    const { clocks, status } = this._page.live.summary;
    this.element.toggleAttribute("hidden", !clocks || status === "open");
    if (!clocks) return;
    const seats = clocks.seats.filter((/** @type {Json | null} */ seat) => seat !== null);
    replace(
      this.element,
      h("ul", {}, seats.map((/** @type {Json} */ seat) => this._seat(seat, clocks))),
      clocks.paused && h("p", { class: "warning" }, `Paused, until ${new Date(clocks.paused.until).toLocaleString()} at the latest.`),
    );
    this.tick();
  }

  /** @param {Json} seat @param {Json} clocks */
  _seat(seat, clocks) {
    const { words, summary } = this._page.live;
    const runs = seat.deadline !== null && clocks.running && !seat.vacation;
    const out = seat.owes && (seat.left_ms === 0 || seat.vacant);
    const period = control(summary.clock, seat.seat).period_s * SECOND;
    const face = runs
      ? h("b", { class: "face", role: "timer", "data-deadline": seat.deadline, "data-periods": seat.periods, "data-period": period })
      : h("b", { class: "face", role: "timer" }, duration(seat.left_ms - kept(seat.left_ms, seat.periods, period)));
    const notes = [
      seat.periods > 0 && `${seat.periods} × ${duration(period)}`,
      seat.vacation && "on vacation",
      seat.vacant && "waits for a substitute",
      !seat.vacant && seat.expirations > 0 && `out of time ${seat.expirations} ×`,
    ];
    return h(
      "li",
      { class: `clock${runs ? " runs" : ""}${out ? " out" : ""}`, "data-key": `clock ${seat.seat}` },
      h("span", {}, words.who(seat.seat)),
      face,
      h("span", { class: "quiet" }, notes.filter(Boolean).join(", ")),
    );
  }
}

/** The control of a seat. @param {Json} clock @param {number} seat @returns {Json} */
const control = (clock, seat) => clock.seats?.[seat] ?? clock;

/** A proposal that is open: vote, or take it back. @param {Page} page */
export function proposalPanel(page) {
  const { summary, words } = page.live;
  const proposal = summary.proposal;
  if (!proposal) return null;
  const own = page.live.own();
  const what = { pause: "to pause the game", resume: "to go on with the game", abandon: "to end the game without winners" }[/** @type {"pause"} */ (proposal.what)];
  const vote = (/** @type {boolean} */ accept) => page.post(`/proposals/${proposal.id}/answer`, { accept });
  return h(
    "div",
    { class: "request" },
    h("p", {}, h("b", {}, words.who(proposal.seat)), ` proposes ${what}.`),
    h("p", { class: "quiet" }, `Still to answer: ${proposal.asked.map((/** @type {number} */ seat) => words.who(seat)).join(", ")}. ${proposal.needed} must be for it.`),
    h(
      "p",
      { class: "row" },
      proposal.asked.some((/** @type {number} */ seat) => own.includes(seat)) && [
        button("Agree", () => vote(true), { class: "main", "data-key": `for ${proposal.id}` }),
        button("Refuse", () => vote(false), { "data-key": `against ${proposal.id}` }),
      ],
      own.includes(proposal.seat) && button("Withdraw the proposal", () => page.remove(`/proposals/${proposal.id}`), { "data-key": `take back ${proposal.id}` }),
    ),
  );
}

/** What can be done about the clocks, and about who is missing. @param {Page} page @param {number} seat the own seat that acts */
export function timeControls(page, seat) {
  const { summary, words } = page.live;
  const { clocks, clock, proposal, policies } = summary;
  const playing = summary.status === "running" && seat !== undefined;
  const own = playing ? clocks?.seats[seat] : null;
  const key = (/** @type {string} */ name) => ({ "data-key": `${name} ${seat}` });
  const propose = (/** @type {string} */ what) => page.post("/proposals", { what, seat });
  const overdue = (clocks?.seats ?? []).filter((/** @type {Json | null} */ one) => one && one.owes && !page.live.own().includes(one.seat) && one.left_ms === 0 && summary.on_timeout?.policy === "remind");
  return [
    playing && !proposal && clocks && !clocks.paused && clocks.pause_left_ms >= SECOND && button("Propose a pause", () => propose("pause"), key("pause")),
    playing && !proposal && clocks?.paused && button("Propose to go on", () => propose("resume"), key("resume")),
    own && !own.vacation && own.vacation_left_ms >= SECOND && clock.vacation_s > 0 && button("Stop my clock", () => page.post("/vacation", { seat }), key("vacation")),
    own?.vacation && button("Let my clock run", () => page.post("/vacation/end", { seat }), key("back")),
    playing && !proposal && policies.abandon !== "off" && button("Propose to end the game", () => abandon(page, seat), key("abandon")),
    playing && overdue.map((/** @type {Json} */ one) => button(`Claim that ${words.who(one.seat)} is out of time`, () => page.post("/claims", { seat: one.seat, by: seat }), key(`claim ${one.seat}`))),
    summary.status === "running" && seatsToTake(page),
  ];
}

/** @param {Page} page @param {number} seat */
async function abandon(page, seat) {
  if (await confirmed("Propose to end the game without winners?", "Propose")) await page.post("/proposals", { what: "abandon", seat });
}

/** Seats that are offered, and those that the game's maker may offer. @param {Page} page */
function seatsToTake(page) {
  const { summary, words } = page.live;
  const me = page.player();
  return summary.seats.map((/** @type {Json} */ seat) => {
    const clock = summary.clocks?.seats[seat.seat];
    const key = { "data-key": `seat ${seat.seat}` };
    if (seat.offered && page.live.own().length === 0 && me) return button(`Sit down as ${words.seat(seat.seat)}`, () => page.post(`/seats/${seat.seat}/substitute`), key);
    if (!seat.offered && clock?.vacant && summary.creator === me) return button(`Offer ${words.seat(seat.seat)} to others`, () => page.post(`/seats/${seat.seat}/offer`), key);
    return null;
  });
}
