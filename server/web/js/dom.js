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

/** Fill a container anew, with elements that the caller may go on holding. @param {Element} container @param {...(Child | Child[])} children */
export function fill(container, ...children) {
  container.replaceChildren(...nodes(children));
}

/** What people press or write into, and what listens: never changed in place, but replaced when it is another. */
const TOUCHED = new Set(["BUTTON", "INPUT", "SELECT", "TEXTAREA", "FORM", "A", "DIALOG"]);

/** Elements that somebody holds, which therefore are never left out for another. @type {WeakSet<Node>} */
const HELD = new WeakSet();

/** An element that `replace` puts in as it is, however like another it is. @template {HTMLElement} E @param {E} element @returns {E} */
export function held(element) {
  HELD.add(element);
  return element;
}

/**
 * Put new children into a container, changing only what is different: what stays the same keeps its focus, its scroll
 * and a press that has begun. So a listener may use nothing that does not show in its element or its `data-key`, unless
 * it looks it up when it is called. Folds stay as people left them. A new element may be left out for an old one
 * that becomes like it, unless it is `held`.
 * @param {Element} container
 * @param {...(Child | Child[])} children
 */
export function replace(container, ...children) {
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && container.contains(active) ? active.dataset.key : undefined;
  const cursor = hasCursor(active) ? active.selectionStart : null;
  update(container, nodes(children));
  if (focused === undefined || document.activeElement === active) return;
  const again = container.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  if (!(again instanceof HTMLElement)) return;
  again.focus({ preventScroll: true });
  if (hasCursor(again) && cursor !== null) again.setSelectionRange(cursor, cursor);
}

/** @param {Element} container @param {(Node | string)[]} wanted */
function update(container, wanted) {
  const keyed = new Map([...container.children].map((child) => [keyOf(child), child]));
  const kept = new Set();
  let at = container.firstChild;
  for (const part of wanted) {
    const node = part instanceof Node ? part : document.createTextNode(part);
    const key = keyOf(node);
    const old = node.parentNode === container ? node : key !== undefined ? keyed.get(key) : at;
    const stays = old && !kept.has(old) && canBecome(old, node) ? old : node;
    if (stays === at) at = at.nextSibling;
    else container.insertBefore(stays, at);
    if (stays !== node) become(/** @type {ChildNode} */ (stays), node);
    kept.add(stays);
  }
  for (const child of [...container.childNodes]) if (!kept.has(child)) child.remove();
}

/** @param {Node} old @param {Node} node */
function canBecome(old, node) {
  if (old === node) return true;
  if (old.nodeName !== node.nodeName || HELD.has(old) || HELD.has(node)) return false;
  return old.isEqualNode(node) || (keyOf(old) === keyOf(node) && !TOUCHED.has(old.nodeName));
}

/** @param {ChildNode} old @param {Node} node */
function become(old, node) {
  if (old.isEqualNode(node)) return;
  if (!(old instanceof Element) || !(node instanceof Element)) {
    old.nodeValue = node.nodeValue;
    return;
  }
  const isFold = old.nodeName === "DETAILS";
  for (const { name } of [...old.attributes]) if (!node.hasAttribute(name) && !(isFold && name === "open")) old.removeAttribute(name);
  for (const { name, value } of node.attributes) if (!(isFold && name === "open") && old.getAttribute(name) !== value) old.setAttribute(name, value);
  update(old, [...node.childNodes]);
}

/** @param {Element | null} element @returns {element is HTMLInputElement | HTMLTextAreaElement} */
const hasCursor = (element) =>
  element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type === "text");

/** @param {Node} node @returns {string | undefined} */
const keyOf = (node) => (node instanceof HTMLElement ? node.dataset.key : undefined);

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
