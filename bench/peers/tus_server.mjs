import { open } from "node:fs/promises";
import { FileStore } from "@tus/file-store";
import { Server } from "@tus/server";

const [port, directory, fsync] = process.argv.slice(2);

async function keep(_request, upload) {
  const file = await open(upload.storage.path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  return {};
}

const server = new Server({
  path: "/files",
  datastore: new FileStore({ directory }),
  ...(fsync && { onUploadFinish: keep }),
});
server.listen({ host: "127.0.0.1", port: Number(port) });
