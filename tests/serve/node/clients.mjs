// The configurations that docs/agents.md shows: each is parsed, and what it starts or calls is a server.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { folder, hebb, HEBB, run, serve, SOURCE } from './support.mjs';

const TOKEN = 'correct-horse-battery-staple';

// The fenced blocks of a language in the page's section.
const blocks = (section, language) => {
  const page = readFileSync(path.join(SOURCE, 'docs', 'agents.md'), 'utf8');
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}\n`));
  assert.ok(text, `docs/agents.md has ${section}`);
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter((m) => m[1] === language).map((m) => m[2]);
};

// A table of TOML whose values are written as JSON writes them.
const toml = (text) => {
  const [, name] = text.match(/^\[mcp_servers\.(\w+)\]$/m);
  const fields = [...text.matchAll(/^(\w+) = (.*)$/gm)].map(([, key, value]) => [key, JSON.parse(value)]);
  return { [name]: Object.fromEntries(fields) };
};

// What shells make of `claude mcp add … -- COMMAND` and of `claude mcp add --transport http …`.
const claude = (line) => {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? m[2]);
  assert.deepEqual(words.slice(0, 3), ['claude', 'mcp', 'add']);
  if (words.includes('--')) {
    const [command, ...args] = words.slice(words.indexOf('--') + 1);
    return { command, args };
  }
  const [name, value] = words[words.indexOf('--header') + 1].split(': ');
  return { url: words.find((word) => word.startsWith('http:')), headers: { [name]: value } };
};

// Every server that the page's section configures, in one form.
const servers = (section) => {
  const found = [];
  for (const text of blocks(section, 'json')) {
    const json = JSON.parse(text);
    found.push(...Object.values(json.mcpServers ?? json.servers));
  }
  for (const text of blocks(section, 'toml')) found.push(...Object.values(toml(text)));
  for (const text of blocks(section, 'sh'))
    found.push(...text.split('\n').filter((line) => line.startsWith('claude ')).map(claude));
  return found;
};

const tools = async (dir, server) => {
  const config = path.join(dir, 'servers.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { hebb: server } }));
  const { out, err } = await run(dir, 'inspector/clients/launcher/build/index.js',
    ['--cli', '--config', config, '--server', 'hebb', '--format', 'json', '--quiet', '--method', 'tools/list']);
  assert.ok(out, err);
  return JSON.parse(out).result.tools.map((tool) => tool.name);
};

test('each client that starts a server of its own', async (t) => {
  const dir = folder(t);
  const db = path.join(dir, 'tasks.db');
  hebb(db, 'init');
  const all = servers('Set it up');
  assert.ok(all.length >= 4, 'Claude Code, mcpServers, VS Code, Codex');
  for (const { type, command, args, ...others } of all) {
    assert.ok(type === undefined || type === 'stdio');
    assert.equal(command, 'hebb');
    assert.deepEqual(others, {});
    const here = args.map((arg) => (arg.endsWith('tasks.db') ? db : arg));
    assert.ok((await tools(dir, { command: HEBB, args: here })).includes('next'));
  }
});

test('each client that speaks HTTP to one server', async (t) => {
  const dir = folder(t);
  const db = path.join(dir, 'tasks.db');
  hebb(db, 'init');
  writeFileSync(path.join(dir, 'token'), `${TOKEN}\n`, { mode: 0o600 });
  const host = await serve(t, db, '--token-file', path.join(dir, 'token'));
  const all = servers('One server for several agents');
  assert.ok(all.length >= 5, 'Claude Code, Cursor, VS Code, Gemini CLI, Windsurf, Codex');
  for (const server of all) {
    // Each client has a name of its own for the address.
    const url = server.url ?? server.httpUrl ?? server.serverUrl;
    assert.equal(url, 'http://127.0.0.1:7433/mcp');
    const header = server.headers?.Authorization ?? `Bearer $${server.bearer_token_env_var}`;
    assert.match(header, /^Bearer (TOKEN|\$HEBB_TOKEN)$/);
    const headers = { Authorization: header.replace(/TOKEN$|\$HEBB_TOKEN$/, TOKEN) };
    const here = { type: 'streamable-http', url: url.replace('127.0.0.1:7433', host), headers };
    assert.ok((await tools(dir, here)).includes('next'));
  }
});
