// Uploads a file with tus-js-client as an application would: node tus_upload.mjs '{"url": …, "mode": …, "file": …}'
// mode: "endpoint" creates the upload by POST, "uploadUrl" uses the address as it is.
// pauseAt: abort after so many bytes, wait a moment, go on. terminateAt: abort after so many bytes and terminate.
// Prints "progress <bytes>" for each chunk that was accepted, at the end "done <url>" or "terminated".
import { createReadStream } from "node:fs";
import { PassThrough } from "node:stream";
import * as tus from "tus-js-client";

const asked = JSON.parse(process.argv[2]);
const file = createReadStream(asked.file);
let paused = false;

// A length is deferred where nobody knows it: for a stream, of which the client cannot ask how long it is.
const upload = new tus.Upload(asked.deferred ? file.pipe(new PassThrough()) : file, {
  [asked.mode]: asked.url,
  chunkSize: asked.chunkSize,
  parallelUploads: asked.parallel ?? 1,
  uploadDataDuringCreation: asked.withCreation ?? false,
  uploadLengthDeferred: asked.deferred ?? false,
  retryDelays: [0, 100, 200, 400, ...Array(60).fill(1000)], // a server that starts again may take its time
  metadata: { filename: "film.mp4", filetype: "video/mp4" },
  async onChunkComplete(_size, accepted) {
    console.log(`progress ${accepted}`);
    if (asked.pauseAt !== undefined && accepted >= asked.pauseAt && !paused) {
      paused = true;
      await upload.abort();
      setTimeout(() => upload.start(), 200);
    }
    if (asked.terminateAt !== undefined && accepted >= asked.terminateAt && !paused) {
      paused = true;
      await upload.abort(true);
      console.log("terminated");
    }
  },
  onSuccess() {
    console.log(`done ${upload.url}`);
  },
  onError(error) {
    console.error(String(error));
    process.exitCode = 1;
  },
});
upload.start();
