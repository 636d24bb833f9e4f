// An MCP server that drives a real browser: what a recording of a browser session comes from.
import readline from 'node:readline';
import { chromium } from 'playwright-core';

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage();
page.setDefaultTimeout(5000);

const tools = {
  browser_navigate: async ({ url }) => { await page.goto(url); return 'navigated'; },
  browser_type: async ({ selector, text }) => { await page.locator(selector).fill(text); return 'typed'; },
  browser_select_option: async ({ label, values }) => {
    await page.getByLabel(label).selectOption(values);
    return 'selected';
  },
  browser_click: async ({ role, name }) => { await page.getByRole(role, { name }).click(); return 'clicked'; },
  browser_wait_for: async ({ text }) => { await page.getByText(text).first().waitFor(); return 'it is there'; },
};

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const serverInfo = { name: 'browser-server', version: '1.0.0' };
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') {
    send({ id, result: { tools: [] } });
  } else if (method === 'tools/call') {
    const result = await tools[params.name](params.arguments).then(
      (text) => ({ content: [{ type: 'text', text }] }),
      (error) => ({ content: [{ type: 'text', text: error.message }], isError: true }));
    send({ id, result });
  }
}
await browser.close();
process.exit(0);
