// Requests to the service that the page came from, and to no other.

import { byId } from "./dom.js";

const KEY = "termfold-token";
const running = new Map();

export function problem(message) {
  const place = byId("problem");
  place.hidden = !message;
  place.textContent = message || "";
}

// A newer request of the same purpose ends an older one: its answer would come too late. The
// answer is then undefined.
async function ask(purpose, path, options = {}) {
  running.get(purpose)?.abort();
  const control = new AbortController();
  running.set(purpose, control);
  const token = sessionStorage.getItem(KEY);
  const headers = { ...options.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) };
  try {
    const response = await fetch(path, { ...options, headers, signal: control.signal });
    if (response.status === 401) {
      await askForToken();
      return ask(purpose, path, options);
    }
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.detail || response.statusText);
    problem("");
    return answer;
  } catch (error) {
    if (error.name === "AbortError") return undefined;
    problem(error instanceof TypeError ? "The service does not answer." : error.message);
    return undefined;
  } finally {
    if (running.get(purpose) === control) running.delete(purpose);
  }
}

export function get(path, parameters = {}, purpose = path) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, value);
  }
  return ask(purpose, query.size ? `${path}?${query}` : path);
}

export function post(path, text, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value));
  return ask(path, `${path}?${query}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: text.toWellFormed ? text.toWellFormed() : text }),
  });
}

let asking = null;

function askForToken() {
  asking ??= new Promise((resolve) => {
    const dialog = byId("ask-token");
    dialog.addEventListener("close", () => {
      sessionStorage.setItem(KEY, byId("token").value);
      byId("token").value = "";
      asking = null;
      resolve();
    }, { once: true });
    dialog.showModal();
  });
  return asking;
}
