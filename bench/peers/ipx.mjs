import { createServer } from "node:http";
import { createIPX, createIPXNodeServer, ipxFSStorage } from "ipx";

const [port, dir] = process.argv.slice(2);
const ipx = createIPX({ storage: ipxFSStorage({ dir }) });
createServer(createIPXNodeServer(ipx)).listen(Number(port), "127.0.0.1");
