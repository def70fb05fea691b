// Signing in with a passkey, by a button or as a suggestion in the username field; and proving again who one is.

let waiting = null;

export function areKnown() {
  return typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === "function";
}

// `send` asks the service.
export function signIn(send, mediation) {
  return ask(send, "/session/passkey/options", "/session/passkey", mediation);
}

// For somebody who is signed in and has to prove again who they are.
export function showAgain(send) {
  return ask(send, "/session/step-up/options", "/session/step-up/passkey", "optional");
}

// Only one question to the authenticator can be open, so a new one ends the other.
async function ask(send, options, answer, mediation) {
  waiting?.abort();
  const mine = (waiting = new AbortController());
  const { data } = await send("POST", options);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(data.publicKey);
  const credential = await navigator.credentials.get({ publicKey, mediation, signal: mine.signal });
  await send("POST", answer, { credential: credential.toJSON() });
}

export async function canSuggest() {
  return areKnown() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

// A person who cancels the dialog needs no error message.
export function isChangeOfMind(problem) {
  return problem.name === "AbortError" || problem.name === "NotAllowedError";
}
