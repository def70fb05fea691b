// Consent, and device codes. The buttons stay disabled for a moment: a click that was meant for something else must not
// allow anything.

import * as passkeys from "/pages/passkeys.js";
import { send, setDisabled, show } from "/pages/people.js";

const INERT_MS = 500;
const consent = document.querySelector("form[data-consent]");
const device = document.querySelector("form[data-device]");
if (consent) askForConsent(consent);
if (device) askForCode(device);

function askForConsent(form) {
  const buttons = form.querySelectorAll("button");
  const error = form.querySelector("[role=alert]");
  const proof = form.querySelector("[data-proof]");
  const password = proof.querySelector("#password");
  const second = proof.querySelector("[data-code]");
  const withPasskey = proof.querySelector("[data-passkey]");
  wake(buttons);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const allow = event.submitter?.value === "allow";
    await once(buttons, error, async () => {
      if (allow && !proof.hidden) {
        await stepUp(password, second);
        proof.hidden = true;
      }
      await decide(form, allow, () => {
        proof.hidden = false;
        withPasskey.hidden = !passkeys.areKnown();
        password.focus();
      });
    });
  });
  withPasskey.addEventListener("click", () => once(buttons, error, async () => {
    await passkeys.showAgain(send);
    await decide(form, true, () => {});
  }));
}

/** With a recovery code too, where the account asks for two factors. */
async function stepUp(password, second) {
  const code = second.querySelector("input");
  try {
    await send("POST", "/session/step-up", { password: password.value, ...(code.value && { code: code.value }) });
  } catch (problem) {
    if (problem.code !== "second_factor_required") throw problem;
    second.hidden = false;
    code.focus();
    throw new Error("Your account asks for two factors: use your passkey, or type a recovery code.");
  }
}

async function decide(form, allow, askForProof) {
  const admin = form.querySelector("input[name=admin]")?.checked ?? false;
  try {
    const { data } = await send("POST", "/oauth/decision", { query: form.dataset.query, allow, admin, spaces: ticked(form) });
    location.assign(data.location);
  } catch (problem) {
    if (problem.code !== "step_up_required") throw problem;
    askForProof();
    throw new Error("Confirm first that it is you.");
  }
}

function askForCode(form) {
  const waiting = document.querySelector("[data-waiting]");
  const buttons = waiting.querySelectorAll("button");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await once(form.querySelectorAll("button"), form.querySelector("[role=alert]"), async () => {
      const { data } = await send("POST", "/device/look", { code: form.elements.code.value });
      describe(waiting, data);
      form.hidden = true;
      waiting.hidden = false;
      wake(buttons);
    });
  });
  setDisabled(form.querySelectorAll("button"), false);
  for (const button of buttons) {
    button.addEventListener("click", () => once(buttons, waiting.querySelector("[role=alert]"), async () => {
      const allow = button.dataset.answer === "allow";
      await send("POST", "/device/decide", { code: form.elements.code.value, allow, spaces: ticked(waiting) });
      waiting.hidden = true;
      show(document.querySelector("[data-done]"), allow ? "Allowed. You can go back to the device." : "Denied. The device cannot act for you.");
    }));
  }
}

function describe(waiting, data) {
  waiting.querySelector("[data-name]").textContent = data.application;
  const since = new Date(data.createdAt).toLocaleTimeString();
  show(waiting.querySelector("[data-place]"), `${data.registered} Request from ${data.address} at ${since}: ${data.userAgent}`);
  const parts = [["It reaches:", data.reached], ["It can see:", data.reading], ["It can change:", data.writing], ["It cannot:", data.withheld]];
  waiting.querySelector("[data-parts]").replaceChildren(...parts.filter(([, items]) => items.length).flatMap(part));
  const spaces = waiting.querySelector("[data-spaces]");
  spaces.hidden = !data.spaces.length;
  spaces.append(...data.spaces.map(tick));
}

function ticked(place) {
  return [...place.querySelectorAll("input[name=space]:checked")].map((box) => box.value);
}

function tick({ id, name }) {
  const label = Object.assign(document.createElement("label"), { className: "tick" });
  label.append(Object.assign(document.createElement("input"), { type: "checkbox", name: "space", value: id }), ` ${name}`);
  return label;
}

function part([title, items]) {
  const heading = document.createElement("h2");
  heading.textContent = title;
  const list = document.createElement("ul");
  list.append(...items.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  return [heading, list];
}

function wake(buttons) {
  setTimeout(() => setDisabled(buttons, false), INERT_MS);
}

async function once(buttons, error, act) {
  error.hidden = true;
  setDisabled(buttons, true);
  try {
    await act();
  } catch (problem) {
    if (!passkeys.isChangeOfMind(problem)) show(error, problem.message);
  } finally {
    setDisabled(buttons, false);
  }
}
