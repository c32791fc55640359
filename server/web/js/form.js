// @ts-check
// A form made from a JSON Schema: of a ruleset's options, or of what a seat brings.

import { Problem } from "./api.js";
import { h, select } from "./dom.js";
import { Words } from "./words.js";

/** @typedef {Record<string, any>} Json */
/** A field, and how to read it: undefined where its default is kept. @typedef {{field: HTMLElement, read: () => any}} Input */

/**
 * @param {Json} schema of an object; `$defs` and `$ref` are followed
 * @param {Words} words
 * @returns {{element: HTMLElement, read: () => Json}}
 */
export function schemaForm(schema, words) {
  const root = resolve(schema, schema);
  /** @type {[string, Input][]} */
  const inputs = Object.entries(root.properties ?? {}).map(([name, part]) => [name, input(resolve(part, schema), schema, words)]);
  const rows = inputs.map(([name, made]) => {
    const hint = resolve(root.properties[name], schema).description;
    return h("label", { class: "field" }, h("span", {}, words.field(name)), made.field, hint && h("small", {}, hint));
  });
  const read = () => Object.fromEntries(inputs.map(([name, made]) => [name, made.read()]).filter(([, value]) => value !== undefined));
  return { element: h("div", { class: "fields" }, rows), read };
}

/** @param {Json} part @param {Json} schema @returns {Json} */
function resolve(part, schema) {
  if (!part.$ref) return part;
  const path = part.$ref.replace(/^#\//, "").split("/");
  const found = path.reduce((/** @type {any} */ at, /** @type {string} */ name) => at?.[name], schema) ?? {};
  return { ...resolve(found, schema), ...(part.default === undefined ? {} : { default: part.default }) };
}

/** @param {Json} part @param {Json} schema @param {Words} words @returns {Input} */
function input(part, schema, words) {
  const choices = choicesOf(part, schema);
  if (choices !== null) return choice(choices, part, words);
  if (part.type === "boolean") return choice([false, true], part, words);
  if (part.type === "integer" || part.type === "number") return number(part);
  if (part.type === "string") return text(part);
  if (part.anyOf) return either(part, schema, words);
  return json(part);
}

/** @param {Json} part @param {Json} schema @returns {any[] | null} */
function choicesOf(part, schema) {
  if (part.enum) return part.enum;
  if (part.const !== undefined) return [part.const];
  if (part.type === "null") return [null];
  if (!part.anyOf) return null;
  const each = part.anyOf.map((/** @type {Json} */ one) => choicesOf(resolve(one, schema), schema));
  return each.some((/** @type {any} */ one) => one === null) ? null : each.flat();
}

/** @param {any[]} values @param {Json} part @param {Words} words @returns {Input} */
function choice(values, part, words) {
  const start = part.default === undefined ? values[0] : part.default;
  const field = select(values.map((value) => [JSON.stringify(value), words.value(value)]), JSON.stringify(start));
  return { field, read: () => (field.value === JSON.stringify(part.default) ? undefined : JSON.parse(field.value)) };
}

/** @param {Json} part @returns {Input} */
function number(part) {
  const step = part.type === "integer" ? 1 : "any";
  const field = /** @type {HTMLInputElement} */ (
    h("input", { type: "number", step, min: part.minimum, max: part.maximum, value: part.default ?? "" })
  );
  return { field, read: () => (field.value === "" || field.value === String(part.default) ? undefined : Number(field.value)) };
}

/** @param {Json} part @returns {Input} */
function text(part) {
  const field = /** @type {HTMLInputElement} */ (h("input", { type: "text", maxlength: part.maxLength, value: part.default ?? "" }));
  return { field, read: () => (field.value === (part.default ?? "") ? undefined : field.value) };
}

/** Some words, or else a number or text of one's own. @param {Json} part @param {Json} schema @param {Words} words @returns {Input} */
function either(part, schema, words) {
  const parts = part.anyOf.map((/** @type {Json} */ one) => resolve(one, schema));
  const values = parts.flatMap((/** @type {Json} */ one) => choicesOf(one, schema) ?? []);
  const open = parts.filter((/** @type {Json} */ one) => choicesOf(one, schema) === null);
  if (open.length !== 1 || !["integer", "number", "string"].includes(open[0].type)) return json(part);
  const own = open[0].type === "string" ? text(open[0]) : number(open[0]);
  const known = values.map((/** @type {any} */ value) => [JSON.stringify(value), words.value(value)]);
  const start = values.includes(part.default) ? JSON.stringify(part.default) : "own";
  const label = open[0].type === "string" ? "other:" : "number:";
  const pick = select([...known, ["own", label]], start, { "aria-label": "Kind" });
  own.field.setAttribute("aria-label", label);
  const sync = () => own.field.toggleAttribute("hidden", pick.value !== "own");
  pick.addEventListener("change", sync);
  sync();
  const read = () => (pick.value === "own" ? own.read() : pick.value === JSON.stringify(part.default) ? undefined : JSON.parse(pick.value));
  return { field: h("span", { class: "row" }, pick, own.field), read };
}

/** Anything else, as JSON; words alone are words where they may be. @param {Json} part @returns {Input} */
function json(part) {
  const words = (part.anyOf ?? []).some((/** @type {Json} */ one) => one.type === "string");
  const parse = (/** @type {string} */ value) => {
    if (words && /^\w+$/.test(value.trim())) return value.trim();
    try {
      return JSON.parse(value);
    } catch (error) {
      throw new Problem({ code: "invalid", detail: `This is not JSON: ${error instanceof Error ? error.message : error}` });
    }
  };
  const start = part.default === undefined || part.default === null ? "" : JSON.stringify(part.default);
  const field = /** @type {HTMLTextAreaElement} */ (h("textarea", { rows: 3, spellcheck: "false", placeholder: "JSON", value: start }));
  return { field, read: () => (field.value.trim() === "" || field.value === start ? undefined : parse(field.value)) };
}
