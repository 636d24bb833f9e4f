// Reads the OTLP export with OpenTelemetry's own generated parser, and compares the content.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import test from 'node:test';
import { folder, here, hebb } from './support.mjs';
import { spawnSync } from 'node:child_process';

const root = createRequire(import.meta.url)('@opentelemetry/otlp-transformer/build/src/generated/root.js');
const Request = root.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

// OTLP/JSON writes ids in hexadecimal, protobuf's JSON in base64.
const mapIds = (request, map) => {
  for (const { scopeSpans } of request.resourceSpans) {
    for (const { spans } of scopeSpans) {
      for (const span of spans) {
        for (const id of ['traceId', 'spanId', 'parentSpanId']) if (id in span) span[id] = map(span[id]);
      }
    }
  }
  return request;
};

test('the official parser takes the export, and nothing of it is lost', (t) => {
  const db = path.join(folder(t), 'log.db');
  const line = (id, name, meta) => `${JSON.stringify({
    jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { text: 'grüße' }, _meta: meta } })}\n`;
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const version = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const input = line(1, 'echo', version) + line(2, 'later', version) + line(3, 'fail', version) +
    line(4, 'echo', { ...version, traceparent });
  const record = spawnSync(process.env.HEBB,
    ['--db', db, 'record', '--', process.execPath, here('modern_server.mjs')], { input });
  assert.equal(record.status, 0);
  hebb(db, 'actions', 'score');
  const exported = hebb(db, 'actions', 'export', '--format', 'otlp');

  const asBytes = mapIds(JSON.parse(exported), (hex) => Buffer.from(hex, 'hex'));
  const message = Request.fromObject(asBytes);
  assert.equal(Request.verify(message), null);
  const wire = Request.encode(message).finish();
  const back = Request.toObject(Request.decode(wire), { longs: String, bytes: Buffer, json: true });
  mapIds(back, (bytes) => Buffer.from(bytes).toString('hex'));
  assert.deepEqual(back, JSON.parse(exported));

  const spans = back.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans));
  assert.ok(spans.length >= 5);
  for (const span of spans) {
    assert.match(span.traceId, /^(?!0+$)[0-9a-f]{32}$/);
    assert.match(span.spanId, /^(?!0+$)[0-9a-f]{16}$/);
    assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano));
  }
  const calls = spans.filter((span) => span.name.startsWith('tools/call '));
  assert.equal(calls.length, 4);
  for (const call of calls) {
    const text = (key) => call.attributes.find((a) => a.key === key)?.value.stringValue;
    assert.equal(text('mcp.protocol.version'), '2026-07-28');
    assert.equal(text('network.transport'), 'pipe');
    assert.match(text('jsonrpc.request.id'), /^[1-4]$/);
    assert.equal(text('mcp.session.id'), undefined);
  }
  assert.equal(new Set(spans.map((span) => span.spanId)).size, spans.length);
});
