/* Small comforts on top of pages that work without them. Behaviour hangs on data- attributes:
   data-guard   on a form: leaving with unsaved changes asks first; data-returned: it came back unsaved
   data-draft   on a form, a key: what is typed survives a failed save, a lost session or a closed network in this tab
   data-forget  on a form: sending it drops every draft of this tab (signing out)
   data-busy    on a button: its words while the form is on its way
   data-count   on an element, the id of a text area: shows its characters live; data-limit: where "over" begins
   Every form that posts is sent once, however often its button is pressed. */
"use strict";

const numbers = new Intl.NumberFormat(document.documentElement.lang);

function codePoints(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/* ---- sent once ---- */
function markBusy(form, button) {
  form.dataset.sent = "";
  if (!button) return;
  button.setAttribute("aria-busy", "true");
  if (button.dataset.busy) {
    button.dataset.idle = button.textContent;
    button.textContent = button.dataset.busy;
  }
}

function markIdle(form) {
  delete form.dataset.sent;
  for (const button of form.querySelectorAll("[aria-busy]")) {
    button.removeAttribute("aria-busy");
    if (button.dataset.idle) button.textContent = button.dataset.idle;
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  if ("sent" in form.dataset) {
    event.preventDefault();
    return;
  }
  if ("forget" in form.dataset) forgetDrafts();
  markBusy(form, event.submitter || form.querySelector("button[type=submit]"));
});

/* A page taken back out of the browser's memory must be able to send again. */
window.addEventListener("pageshow", (event) => {
  if (event.persisted) document.querySelectorAll("form[data-sent]").forEach(markIdle);
});

/* ---- unsaved changes ---- */
function isChanged(form) {
  return Array.from(form.elements).some((field) => {
    if (field.type === "hidden" || field.type === "submit") return false;
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.options) return Array.from(field.options).some((option) => option.selected !== option.defaultSelected);
    return "defaultValue" in field && field.value !== field.defaultValue;
  });
}

window.addEventListener("beforeunload", (event) => {
  const unsaved = Array.from(document.querySelectorAll("form[data-guard]")).some(
    (form) => !("sent" in form.dataset) && ("returned" in form.dataset || isChanged(form))
  );
  if (unsaved) event.preventDefault();
});

/* ---- drafts ---- */
const DRAFT = "draft:";

function forgetDrafts() {
  Object.keys(sessionStorage).filter((key) => key.startsWith(DRAFT)).forEach((key) => sessionStorage.removeItem(key));
}

function keep(key, text) {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    /* The browser keeps no more: the page still works, only without this net. */
  }
}

function offerDraft(form) {
  const area = form.querySelector("textarea");
  const offer = form.querySelector("[data-draft-offer]");
  const key = DRAFT + form.dataset.draft;
  const kept = sessionStorage.getItem(key);
  if (kept !== null && kept !== area.value && offer) {
    offer.hidden = false;
    offer.querySelector("[data-draft-take]").addEventListener("click", () => {
      area.value = kept;
      area.dispatchEvent(new Event("input", { bubbles: true }));
      offer.hidden = true;
      area.focus();
    });
    offer.querySelector("[data-draft-drop]").addEventListener("click", () => {
      sessionStorage.removeItem(key);
      offer.hidden = true;
      area.focus();
    });
  } else {
    sessionStorage.removeItem(key);
  }
  area.addEventListener("input", () => keep(key, area.value));
}

document.querySelectorAll("form[data-draft]").forEach(offerDraft);

/* ---- live count ---- */
function showCount(counter, area) {
  const used = codePoints(area.value);
  const limit = Number(counter.dataset.limit || 0);
  const isOver = limit > 0 && used > limit;
  counter.querySelector("[data-used]").textContent = numbers.format(used);
  counter.classList.toggle("counter--over", isOver);
  const over = counter.querySelector("[data-over]");
  if (over) over.hidden = !isOver;
  const fill = counter.querySelector(".bar__fill");
  if (fill && limit) fill.setAttribute("width", String((100 * Math.min(used, limit)) / limit));
}

document.querySelectorAll("[data-count]").forEach((counter) => {
  const area = document.getElementById(counter.dataset.count);
  if (!area) return;
  area.addEventListener("input", () => showCount(counter, area));
  showCount(counter, area);
});
