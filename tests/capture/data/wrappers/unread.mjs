// Goes on when nobody reads its output, until it prints. argv[2]: the folder of trace.mjs.
const { traced } = await import(`${process.argv[2]}/trace.mjs`);

const turn = () => new Promise((resolve) => setImmediate(resolve));
const nothing = traced("no:thing", () => {});
nothing();
await turn();
nothing();
nothing();
await turn();
console.error("alive");
console.log("nobody reads this");
await turn();
console.error("still alive");
