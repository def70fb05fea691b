// The pages of people: each form is sent as JSON to this same origin, and its answer is shown in place.

import * as passkeys from "/pages/passkeys.js";

const acts = {
  signin: (form) => send("POST", "/session/login", values(form)).then(() => goOn(form), (problem) => askForMore(form, problem)),
  recovery: (form) => send("POST", "/session/recovery", values(form)).then(() => goOn(form)),
  passkey: (form) => passkeys.signIn(send, "optional").then(() => goOn(form)),
  provider: (form) => toProvider({
    next: form.dataset.next,
    again: form.dataset.again === "true",
    link: "link" in form.dataset,
  }),
  link: async (form) => {
    await send("POST", "/session/link", { ticket: ticket() });
    history.replaceState(null, "", location.pathname);
    goOn(form);
  },
  signout: (form) => send("DELETE", "/session").then(() => goOn(form)),
  reset: async (form) => {
    const { data } = await send("POST", "/session/reset", values(form));
    show(form.querySelector("[data-done]"), data.message);
  },
  confirm: async (form) => {
    await send("POST", "/session/email", { ticket: ticket() });
    history.replaceState(null, "", location.pathname);
    form.hidden = true;
    document.querySelector("[data-done]").hidden = false;
  },
  join: () => join(),
  redeem: async (form, way) => {
    const next = form.dataset.next ?? "/";
    if (way === "provider" || !form.elements.password) return toProvider({ ...chosen(form), ticket: ticket(), next });
    const { data } = await send("POST", "/session/redeem", { ...values(form), ticket: ticket() });
    history.replaceState(null, "", location.pathname);
    location.assign(data.signedIn === false ? "/signin" : next);
  },
};

const invitation = document.querySelector("[data-invitation]");
for (const form of document.querySelectorAll("form[data-form]")) enlist(form);
if (invitation) showInvitation();
const ofLink = document.querySelector("form[data-form=redeem], form[data-form=confirm]");
if (ofLink) lookAtLink(ofLink);
const byLink = document.querySelector("form[data-form=link]");
if (byLink && ticket()) byLink.hidden = false;
const withPasskey = document.querySelector("form[data-form=passkey]");
if (withPasskey && passkeys.areKnown()) suggestPasskey(withPasskey);

function enlist(form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(form, event.submitter?.value);
  });
  setDisabled(form.querySelectorAll("button"), false);
}

async function submit(form, way) {
  const buttons = form.querySelectorAll("button");
  const error = form.querySelector("[role=alert]");
  error.hidden = true;
  setDisabled(buttons, true);
  try {
    await acts[form.dataset.form](form, way);
  } catch (problem) {
    if (!passkeys.isChangeOfMind(problem)) show(error, problem.message);
  } finally {
    setDisabled(buttons, false);
  }
}

async function toProvider(wanted) {
  const { data } = await send("POST", "/session/provider", wanted);
  location.assign(data.location);
}

async function lookAtLink(form) {
  const checking = document.querySelector("[data-checking]");
  const ask = document.querySelector("[data-ask]");
  if (!ticket() && ask) {
    ask.hidden = false;
    return;
  }
  checking.hidden = false;
  try {
    const { data } = await send("POST", "/session/ticket", { ticket: ticket() });
    if (data.purpose !== location.pathname.slice(1)) throw new Error("This link is for another page.");
    fillIn(form, { email: data.email, username: data.username });
    if (data.username && form.elements.username) {
      form.elements.username.value = data.username;
      form.elements.username.readOnly = true;
    }
    if (data.email && form.elements.email) form.elements.email.value = data.email;
    form.hidden = false;
    form.querySelector("input:not([readonly])")?.focus();
  } catch (problem) {
    show(document.querySelector("[data-refused]"), problem.message);
    if (ask) ask.hidden = false;
  } finally {
    checking.hidden = true;
  }
}

/** Who invites to which space; then the person signs in or makes an account, and is in the space. */
async function showInvitation() {
  const checking = document.querySelector("[data-checking]");
  try {
    const { data } = await send("POST", "/session/ticket", { ticket: ticket() });
    if (data.purpose !== "join") throw new Error("This link is for another page.");
    const space = `/spaces/${data.spaceId}`;
    if (data.joined) return location.replace(space);
    sessionStorage.setItem("invitation", ticket()); // a sign-in elsewhere comes back without the fragment
    fillIn(invitation, { "invited-by": data.invitedBy, space: data.space, role: data.role });
    const part = invitation.querySelector(data.makesAccounts ? "[data-makes-accounts]" : "[data-no-account]");
    if (part) part.hidden = false;
    part?.querySelector("[data-new]")?.addEventListener("click", () => askForAccount(space));
    setDisabled(invitation.querySelectorAll("[data-new]"), false);
    invitation.hidden = false;
  } catch (problem) {
    show(document.querySelector("[data-refused]"), problem.message);
    document.querySelector("[data-after-refusal]").hidden = false;
  } finally {
    checking.hidden = true;
  }
}

function askForAccount(space) {
  const form = document.querySelector("template").content.querySelector("form");
  form.dataset.next = space;
  enlist(form);
  document.querySelector("[data-ways]").replaceChildren(form);
  form.hidden = false;
  form.querySelector("input").focus();
}

async function join() {
  const { access_token: bearer } = await send("POST", "/session/token", {});
  const headers = { authorization: `Bearer ${bearer}` };
  const { data } = await send("POST", "/api/v1/spaces/join", { ticket: ticket() }, headers);
  sessionStorage.removeItem("invitation");
  location.assign(`/spaces/${data.id}`);
}

function fillIn(place, texts) {
  for (const [name, text] of Object.entries(texts)) {
    for (const element of place.querySelectorAll(`[data-${name}]`)) element.textContent = text;
  }
}

function askForMore(form, problem) {
  if (problem.code !== "second_factor_required") throw problem;
  form.hidden = true;
  const more = document.querySelector("form[data-form=recovery]");
  more.hidden = false;
  more.elements.code.focus();
}

async function suggestPasskey(form) {
  form.hidden = false;
  if (!(await passkeys.canSuggest())) return;
  try {
    await passkeys.signIn(send, "conditional");
    goOn(form);
  } catch (problem) {
    if (!passkeys.isChangeOfMind(problem)) show(form.querySelector("[role=alert]"), problem.message);
  }
}

export async function send(method, path, body, headers = {}) {
  const options = { method, headers: { ...headers } };
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("The server cannot be reached. Try again in a moment.");
  }
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    const problem = new Error(content.error?.message ?? "Something went wrong. Try again in a moment.");
    problem.code = content.error?.code;
    throw problem;
  }
  return content;
}

function values(form) {
  const given = [...new FormData(form)].filter(([name, value]) => value !== "" || name === "password");
  const named = Object.fromEntries(given);
  return "endAccess" in named ? { ...named, endAccess: true } : named;
}

// The choices of a link's holder, without the password.
function chosen(form) {
  const { password, ...others } = values(form);
  return others;
}

function ticket() {
  const kept = invitation && sessionStorage.getItem("invitation");
  return new URLSearchParams(location.hash.slice(1)).get("ticket") ?? kept ?? "";
}

function goOn(form) {
  if (invitation) return join();
  const next = new URL(form.dataset.next, location.origin);
  if (next.pathname === location.pathname && location.hash) return location.reload(); // with its ticket
  location.assign(next.origin === location.origin ? next.href : "/");
}

/** Buttons come disabled: a click before the script is there would load another page. */
export function setDisabled(buttons, disabled) {
  for (const button of buttons) button.disabled = disabled;
}

export function show(element, text) {
  element.textContent = text;
  element.hidden = false;
}
