// The calls that the test of the wrappers expects. argv[2]: the folder of trace.mjs.
import { execFileSync } from "node:child_process";
const { traced } = await import(`${process.argv[2]}/trace.mjs`);

const inner = traced("in:ner", (a, b) => a + b);
const outer = traced("out:er", async (a, b) => {
  await null;
  return inner(a, b);
});
const broken = traced("bro:ken", () => {
  throw new Error('boom "\u001b[31m" \ud800');
});
const method = { base: 2, plus: traced("meth:od", function (n) { return this.base + n; }) };

console.log("outer", await outer(1, 2));
try {
  broken();
} catch (error) {
  console.log("caught", error.message.slice(0, 4));
}
await traced("bro:ken", async () => { throw undefined; })().catch((e) => console.log("caught", e));
console.log("method", method.plus(3));
console.log("key", execFileSync("sh", ["-c", "echo ${HEBB_TRACE_KEY-none}"]).toString().trim());
process.exitCode = 7;
