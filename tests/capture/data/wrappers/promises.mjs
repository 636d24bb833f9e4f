// What a caller sees of promises. argv[2]: the folder of trace.mjs.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
const { traced } = await import(`${process.argv[2]}/trace.mjs`);

const running = traced("has:child", promisify(execFile))("true");
console.log("child", typeof running.child.pid, (await running).stdout);
let asked = 0; // a query that runs when it is awaited
const query = { then: (resolve) => resolve(++asked) };
console.log("same", traced("que:ry", () => query)() === query, await query, asked);
await traced("hand:led", () => Promise.reject(new Error("handled")))().catch(() => {});
process.on("unhandledRejection", (error) => console.log("unhandled", error.message));
traced("unhand:led", () => Promise.reject(new Error("nobody minds")))();
