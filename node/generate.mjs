// Writes operations.js and hebb.d.ts, from what the program says of its operations.
//   node generate.mjs HEBB FOLDER
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [hebb, folder] = process.argv.slice(2);
const schemas = execFileSync(hebb, ['api', 'schemas'], { encoding: 'utf8', maxBuffer: 1 << 26 });
const { operations, problem } = JSON.parse(schemas);

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => camel(`_${name}`);
const indent = (text, by) => text.replace(/^(?=.)/gm, ' '.repeat(by));
const comment = (text) => (text ? `/** ${text.replaceAll('*/', '* /')} */\n` : '');

// The records that lists and objects hold are interfaces of their own, named by "title", else by operation and field.
const records = new Map(); // text by name
const singular = (name) => name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');

// of: the beginning of the names of records in it
function record(name, schema, of = name) {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties).map(([field, member]) => {
    const type = typeOf(member, `${of}${pascal(singular(field))}`);
    return `${comment(member.description)}${field}${required.has(field) ? '' : '?'}: ${type};\n`;
  });
  const text = `export interface ${name} {\n${indent(members.join(''), 2)}}\n`;
  if ((records.get(name) ?? text) !== text) throw new Error(`two records are named ${name}`);
  records.set(name, text);
  return name;
}

function typeOf(schema, name) {
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return [...new Set(either.map((one) => typeOf(one, name)))].join(' | ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, name)).join(' | ');
  switch (schema.type) {
    case 'integer': case 'number': return 'number';
    case 'string': case 'boolean': case 'null': return schema.type;
    case 'array': {
      const items = schema.items ? typeOf(schema.items, name) : 'unknown';
      return items.includes(' ') ? `(${items})[]` : `${items}[]`;
    }
    case 'object':
      if (schema.properties) return record(schema.title ?? name, schema);
      if (typeof schema.additionalProperties === 'object') return `Record<string, ${typeOf(schema.additionalProperties, name)}>`;
      return 'Record<string, unknown>';
    default: return 'unknown';
  }
}

const list = operations.map(({ name, summary, request, result }) => {
  const type = pascal(name);
  const requestType = record(`${type}Request`, request);
  const answerType = record(`${type}Answer`, result, type);
  // A result that begins with a list is about its elements: it is iterated, and streamed.
  const [[first, { type: kind, items }]] = Object.entries(result.properties);
  const row = kind === 'array' && typeOf(items, type + pascal(singular(first)));
  return {
    name, summary, method: camel(name), requestType, answerType, needed: (request.required ?? []).length > 0,
    list: row ? first : undefined, row,
  };
});

const methods = list.map((o) => `${comment(o.summary)}${o.method}(request${o.needed ? '' : '?'}: ` +
  `${o.requestType}, options?: CallOptions): ` +
  (o.list ? `Rows<${o.answerType}, ${o.row}>;\n` : `Promise<${o.answerType}>;\n`));
const byName = list.map((o) => `${o.name}: { request: ${o.requestType}; answer: ${o.answerType} };\n`);
const streams = list.filter((o) => o.list)
  .map((o) => `${o.name}: { row: ${o.row}; others: Omit<${o.answerType}, '${o.list}'> };\n`);
const places = {
  records: [...records.values()].join('\n'),
  methods: indent(methods.join(''), 2),
  operations: indent(byName.join(''), 2),
  streams: indent(streams.join(''), 2),
  problems: problem.properties.type.enum.map((name) => `'${name}'`).join(' | '),
};
const frame = readFileSync(path.join(import.meta.dirname, 'frame.d.ts'), 'utf8');
const types = frame.replace(/^( *)\/\/ (\w+)…\n/gm, (_, by, name) => places[name])
  .replace(/'problems…'/, () => places.problems);
writeFileSync(path.join(folder, 'hebb.d.ts'), types);
const table = list.map(({ name, method, list: of }) => `  ${JSON.stringify({ name, method, list: of })},\n`).join('');
writeFileSync(path.join(folder, 'operations.js'), `'use strict';\n\nexports.operations = [\n${table}];\n`);
