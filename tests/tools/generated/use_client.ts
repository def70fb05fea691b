// Uses the types that openapi-typescript makes with its default flags, with openapi-fetch. `tsc --strict` checks it.
import createClient from "openapi-fetch";

import type { components, paths } from "./schema";

declare const process: { env: Record<string, string> };

type Task = components["schemas"]["TaskView"];

const client = createClient<paths>({
  baseUrl: `${process.env.ORIGIN}/api/v1`,
  headers: { Authorization: `Bearer ${process.env.TOKEN}` },
});

const made = await client.POST("/taskapp/tasks", {
  body: { title: "Water the plants", dueAt: 253402300799999, tags: ["home"] },
  params: { header: { "Idempotency-Key": crypto.randomUUID() } },
});
if (made.error) throw new Error(made.error.error.code);
const task: Task = made.data.data;

const completed = await client.POST("/taskapp/tasks/{task_id}/complete", { params: { path: { task_id: task.id } } });
const unknown = await client.GET("/taskapp/tasks/{task_id}", { params: { path: { task_id: "tsk_unknown" } } });
const events = await client.GET("/events", { params: { query: { from: "start", limit: 1 } } });

console.log(
  JSON.stringify({
    id: task.id,
    dueAt: task.dueAt,
    tags: task.tags,
    status: completed.data?.data.status,
    unknown: unknown.error?.error.code,
    events: (events.data?.data ?? []).length > 0,
  }),
);
