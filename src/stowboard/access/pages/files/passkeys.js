// Signing in with a passkey: by a button, and as a suggestion in the field of the username.

let waiting = null;

export function areKnown() {
  return typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === "function";
}

// `send` asks the service. Only one question to the authenticator can be open, so a new one ends the other.
export async function signIn(send, mediation) {
  waiting?.abort();
  const mine = (waiting = new AbortController());
  const { data } = await send("POST", "/session/passkey/options");
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(data.publicKey);
  const credential = await navigator.credentials.get({ publicKey, mediation, signal: mine.signal });
  await send("POST", "/session/passkey", { credential: credential.toJSON() });
}

export async function canSuggest() {
  return areKnown() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

// What the browser says of a person who changed their mind is nothing to show.
export function isChangeOfMind(problem) {
  return problem.name === "AbortError" || problem.name === "NotAllowedError";
}
