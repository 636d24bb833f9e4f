// Builds the page: node build.mjs SOURCE_FOLDER OUT_FOLDER, in a folder with the packages of package-lock.json.
// The same sources and packages give the same bytes.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const [source, out] = process.argv.slice(2).map((folder) => path.resolve(folder));
const packages = path.resolve('node_modules');
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

await build({
  entryPoints: { page: path.join(source, 'src/main.jsx') },
  outdir: out,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  nodePaths: [packages],
  absWorkingDir: source,
  logLevel: 'warning',
});
await build({
  entryPoints: { page: path.join(source, 'src/style.css') },
  outdir: out,
  bundle: true,
  minify: true,
  target: 'es2022',
  charset: 'utf8',
  external: ['/page/*'],
  nodePaths: [packages],
  absWorkingDir: source,
  logLevel: 'warning',
});
for (const name of readdirSync(path.join(source, 'static')))
  copyFileSync(path.join(source, 'static', name), path.join(out, name));
copyFileSync(
  path.join(packages, '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'), path.join(out, 'inter.woff2'));

// What is not ours comes with its licence.
const licences = ['preact', 'uplot', '@fontsource-variable/inter'].map((name) =>
  `${name}\n${'='.repeat(name.length)}\n\n${readFileSync(path.join(packages, name, 'LICENSE'), 'utf8').trim()}\n`);
writeFileSync(path.join(out, 'licences.txt'), licences.join('\n\n'));
