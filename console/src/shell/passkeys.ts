/** Passkeys in the browser. They need a secure context and a host name. */

export function hasPasskeys(): boolean {
  return window.isSecureContext && typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function'
}

/** Makes a passkey and returns the part to send. Throws the browser's error, also if the person changed their mind. */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<object> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  return made.toJSON() as object
}

export async function answerWithPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<object> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const answer = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  return answer.toJSON() as object
}

/** Closing the browser's own question is not an error. */
export function isChangeOfMind(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'AbortError' || error.name === 'NotAllowedError')
}
