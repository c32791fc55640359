// @ts-check
// Elements made and replaced by hand. Text goes in as text nodes only, so nothing that comes from people is ever markup.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element: h("button", {class: "main", onclick: act}, "Play"). Attributes that are null, undefined or false are left
 * out; `on…` are listeners; `value` and `checked` are properties.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") Reflect.set(element, name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function nodes(children) {
  return children
    .flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * Put new children into a container. What has a `data-key` keeps its focus, its cursor and whether it is unfolded.
 * @param {Element} container
 * @param {...(Child | Child[])} children
 */
export function replace(container, ...children) {
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && container.contains(active) ? active.dataset.key : undefined;
  const cursor = hasCursor(active) ? active.selectionStart : null;
  const folds = new Map([...container.querySelectorAll("details[data-key]")].map((fold) => [keyOf(fold), isOpen(fold)]));
  container.replaceChildren(...nodes(children));
  for (const fold of container.querySelectorAll("details[data-key]")) {
    const open = folds.get(keyOf(fold));
    if (open !== undefined) fold.toggleAttribute("open", open);
  }
  if (focused === undefined) return;
  const again = container.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  if (!(again instanceof HTMLElement)) return;
  again.focus({ preventScroll: true });
  if (hasCursor(again) && cursor !== null) again.setSelectionRange(cursor, cursor);
}

/** @param {Element | null} element @returns {element is HTMLInputElement | HTMLTextAreaElement} */
const hasCursor = (element) =>
  element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type === "text");

/** @param {Element} element */
const keyOf = (element) => /** @type {HTMLElement} */ (element).dataset.key;
/** @param {Element} element */
const isOpen = (element) => /** @type {HTMLDetailsElement} */ (element).open;

/** A button. @param {string} text @param {() => unknown} act @param {Record<string, any>} [attributes] */
export const button = (text, act, attributes = {}) => h("button", { type: "button", onclick: act, ...attributes }, text);

/** A field with its label. @param {string} text @param {HTMLElement} field @param {string} [hint] */
export function labelled(text, field, hint = "") {
  return h("label", { class: "field" }, h("span", {}, text), field, hint && h("small", {}, hint));
}

/** A choice. @param {[string, string][]} options value and text @param {string} chosen @param {Record<string, any>} [attributes] */
export function select(options, chosen, attributes = {}) {
  return /** @type {HTMLSelectElement} */ (
    h("select", attributes, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)))
  );
}

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Tell people who listen to the page instead of looking at it. @param {string} text */
export function announce(text) {
  byId("status").textContent = text;
}

/** Ask before what cannot be undone. @param {string} question @param {string} yes @returns {Promise<boolean>} */
export function confirmed(question, yes) {
  return new Promise((resolve) => {
    const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { "aria-label": question }));
    dialog.append(
      h(
        "form",
        { method: "dialog" },
        h("p", {}, question),
        h("p", { class: "row" }, h("button", { value: "yes", class: "danger" }, yes), h("button", { value: "" }, "Cancel")),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
