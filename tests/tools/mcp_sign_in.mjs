// An agent with nothing but an address: the official client is refused, finds out where tokens are given, registers
// itself, has a person asked, and goes on with the token. Arguments: address, redirect address.
// Prints one JSON line where it waits for somebody to go to `ask`, reads the address of the answer, prints the outcome.

import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";

const [address, redirectUrl] = process.argv.slice(2);
const kept = {};
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const authProvider = {
  redirectUrl,
  clientMetadata: { redirect_uris: [redirectUrl], client_name: "An agent", token_endpoint_auth_method: "none" },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => { kept.client = client; },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => { kept.tokens = tokens; },
  redirectToAuthorization: (ask) => { console.log(JSON.stringify({ ask })); },
  saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
  codeVerifier: () => kept.verifier,
};
const connect = async () => {
  const transport = new StreamableHTTPClientTransport(new URL(address), { authProvider });
  const client = new Client({ name: "An agent", version: "1" });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    const answer = new URL((await lines.next()).value);
    await transport.finishAuth(answer.searchParams);
    return connect();
  }
};
const client = await connect();
const { tools } = await client.listTools();
const made = await client.callTool({ name: "save_task", arguments: { title: "Signed in" } });
console.log(JSON.stringify({ scope: kept.tokens.scope, tools: tools.length, title: made.structuredContent.task.title }));
process.exit(0);
