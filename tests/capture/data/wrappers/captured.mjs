// Traced calls while something else collects what is printed. argv[2]: the folder of trace.mjs.
const { traced } = await import(`${process.argv[2]}/trace.mjs`);

const prints = traced("pri:nts", (text) => console.log(text));
const write = process.stdout.write;
let collected = "";
process.stdout.write = (text) => (collected += text);
prints("one");
prints("two");
process.stdout.write = write;
console.log(JSON.stringify(collected));
