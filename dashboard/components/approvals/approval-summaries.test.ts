import { expect, test } from 'vitest'
import { localizeSummary } from './approval-summaries.ts'

test.each([
  'Write the file \u2068plans/summary.md\u2069',
  'Save to the memory under \u2068releases\u2069: They go out\non Tuesdays: always',
  'Send a text message to +4930123: Hello',
  'Ask the agent \u2068Helper\u2069: What is new?',
  'Pay 7.00 usd to Acme, acct_1: An invoice',
  'Pay 7.00 usd: An invoice',
  'Call search on the MCP server Docs',
  'Call gmail_send in Gmail as ada@example.com',
  'Call +49 30 123: Hello',
  'Read canvas',
])('localizeSummary leaves %j unchanged in English', (summary) => {
  expect(localizeSummary(summary)).toBe(summary)
})
