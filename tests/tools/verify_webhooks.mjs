// Verifies deliveries, one JSON object a line on standard input, and says how many were right.
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";

const lines = readFileSync(0, "utf8").trim().split("\n");
for (const line of lines) {
  const { secret, headers, body } = JSON.parse(line);
  new Webhook(secret).verify(body, headers);
}
process.stdout.write(String(lines.length));
