// Generators, which fail after their function has returned. argv[2]: the folder of trace.mjs.
const { traced } = await import(`${process.argv[2]}/trace.mjs`);

const counts = traced("gen", function* () { yield 1; throw new Error("late"); });
const countsLater = traced("gen", async function* () { yield 2; throw new Error("later"); });
try {
  for (const n of counts()) console.log(n);
} catch (error) {
  console.log(error.message);
}
try {
  for await (const n of countsLater()) console.log(n);
} catch (error) {
  console.log(error.message);
}
