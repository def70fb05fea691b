// The official clients of MCP for TypeScript, new and old: each lists the tools, makes a task, finds it, reads a board.
// Arguments: address, token. Prints one JSON line.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [address, token] = process.argv.slice(2);
const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } };

async function work(client, transport, title) {
  await client.connect(transport);
  const { tools } = await client.listTools();
  const call = async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent;
  await call("save_board", { name: title });
  await call("save_task", { title, board: title });
  const { tasks } = await call("find_tasks", { query: title });
  const { resources } = await client.listResources();
  const uri = resources.find((each) => each.description.includes(`\n${title}\n`)).uri;
  const { contents } = await client.readResource({ uri });
  const version = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion;
  await client.close();
  return { version, tools: tools.length, found: tasks.map((task) => task.title), board: contents[0].text.includes(`# ${title}`) };
}

const modes = { versionNegotiation: { mode: "auto" } };
console.log(JSON.stringify({
  new: await work(new Client({ name: "new", version: "1" }, modes), new StreamableHTTPClientTransport(new URL(address), options), "new"),
  default: await work(new Client({ name: "default", version: "1" }), new StreamableHTTPClientTransport(new URL(address), options), "default"),
  old: await work(new OldClient({ name: "old", version: "1" }), new OldTransport(new URL(address), options), "old"),
}));
