// A small server of 2026-07-28 on stdio: no handshake, an identity in every result, a tool that asks for
// more input, one that fails, one that never answers.
import readline from 'node:readline';

const VERSION = '2026-07-28';
const meta = { 'io.modelcontextprotocol/serverInfo': { name: 'modern-server', version: '1.0.0' } };
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const complete = (id, result) => send({ id, result: { resultType: 'complete', _meta: meta, ...result } });
const text = (value) => ({ content: [{ type: 'text', text: value }] });

const call = (id, params) => {
  if (params.name === 'book') {
    if (params.inputResponses) return complete(id, text(`booked ${params.inputResponses.seat.content.seat}`));
    return send({
      id,
      result: {
        resultType: 'input_required', _meta: meta, requestState: 'state-1',
        inputRequests: { seat: { method: 'elicitation/create', params: { message: 'Which seat?' } } },
      },
    });
  }
  if (params.name === 'fail') return complete(id, { ...text('no'), isError: true });
  if (params.name === 'never') return undefined;
  if (params.name === 'later') return setTimeout(() => complete(id, text('at last')), 50);
  if (params.name === 'echo') return complete(id, text(params.arguments.text));
  return send({ id, error: { code: -32602, message: `Unknown tool: ${params.name}` } });
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  if (id === undefined) continue;
  if (version !== VERSION) {
    const data = { supported: [VERSION], requested: version ?? null };
    send({ id, error: { code: -32022, message: 'Unsupported protocol version', data } });
  } else if (method === 'server/discover') {
    complete(id, { supportedVersions: [VERSION], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' });
  } else if (method === 'tools/call') {
    call(id, params);
  } else {
    send({ id, error: { code: -32601, message: 'Method not found' } });
  }
}
process.exit(0);
