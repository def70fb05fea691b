// A strict OAuth client: registers itself, asks a person, trades the code, refreshes, looks, gives back.
// Prints one JSON line where it waits for somebody to go to `ask`, reads the address of the answer, prints the outcome.

import { createInterface } from "node:readline";
import * as client from "openid-client";

const [issuer, redirectUri, resource] = process.argv.slice(2);
const insecure = { algorithm: "oauth2", execute: [client.allowInsecureRequests] };
const config = await client.dynamicClientRegistration(
  new URL(issuer),
  { redirect_uris: [redirectUri], client_name: "Strict client", token_endpoint_auth_method: "none" },
  client.None(),
  insecure,
);
const pkceCodeVerifier = client.randomPKCECodeVerifier();
const expectedState = client.randomState();
const ask = client.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri,
  scope: "tasks:read tasks:write",
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: "S256",
  state: expectedState,
  resource,
});
console.log(JSON.stringify({ ask: ask.href }));
const { value: answer } = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next();
const first = await client.authorizationCodeGrant(config, new URL(answer), { pkceCodeVerifier, expectedState });
const second = await client.refreshTokenGrant(config, first.refresh_token);
const seen = await client.tokenIntrospection(config, second.access_token);
const me = await client.fetchProtectedResource(config, second.access_token, new URL(`${resource}/access/me`), "GET");
const { data } = await me.json();
await client.tokenRevocation(config, second.refresh_token);
const after = await client.tokenIntrospection(config, second.access_token);
console.log(JSON.stringify({ scope: first.scope, active: seen.active, username: data.username, after: after.active }));
process.exit(0);
