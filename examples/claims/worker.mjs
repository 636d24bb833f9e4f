// A worker over the Model Context Protocol: `hebb mcp` on a pipe, a JSON message a line. Prints the
// tasks that it did.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const server = spawn('hebb', ['mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
let id = 0;

async function request(method, params) {
  server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }) + '\n');
  const reply = JSON.parse((await lines.next()).value);
  if (reply.error) throw new Error(reply.error.message);
  return reply.result;
}

async function call(name, args) {
  const result = await request('tools/call', { name, arguments: args });
  if (result.isError) throw new Error(result.content[0].text);
  return result.structuredContent;
}

await request('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'worker', version: '1' },
});
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
for (;;) {
  const { tasks } = await call('next', { claim: true, agent: 'node' });
  if (tasks.length === 0) break;
  const [task] = tasks;
  // The work is to be done here.
  await call('outcome', {
    id: task.id, outcome: 'success', token: task.token, agent: 'node',
  });
  console.log(task.id);
}
server.stdin.end();
