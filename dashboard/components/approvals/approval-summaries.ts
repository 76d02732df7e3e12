import { t } from '../../../contract/text.ts'
import { renderSentence, type Sentence } from '../server-sentences.ts'

/** What a call would do. The server writes these in English, with the agent's words after a colon. */
const SUMMARIES: Sentence[] = [
  [/^Write the file (.+)$/s, (name) => t`Write the file ${name}`],
  [/^Create the project (.+)$/s, (name) => t`Create the project ${name}`],
  [/^Save to the memory under (.+?): (.*)$/s, (key, text) => t`Save to the memory under ${key}: ${text}`],
  [/^Send a text message to ([^:]+): (.*)$/s, (to, text) => t`Send a text message to ${to}: ${text}`],
  [/^Send a request to (.+)$/s, (url) => t`Send a request to ${url}`],
  [/^Send feedback to the operators: (.*)$/s, (text) => t`Send feedback to the operators: ${text}`],
  [/^Ask the agent (.+?): (.*)$/s, (agent, text) => t`Ask the agent ${agent}: ${text}`],
  [
    /^Pay (\S+) (\S+) to (.+?): (.*)$/s,
    (sum, currency, payee, why) => t`Pay ${sum} ${currency} to ${payee}: ${why}`,
  ],
  [/^Pay (\S+) (\S+): (.*)$/s, (sum, currency, why) => t`Pay ${sum} ${currency}: ${why}`],
  [/^End the call: (.*)$/s, (why) => t`End the call: ${why}`],
  [/^Transfer the call: (.*)$/s, (why) => t`Transfer the call: ${why}`],
  [/^Call (.+) on the MCP server (.+)$/, (tool, server) => t`Call ${tool} on the MCP server ${server}`],
  [/^Call (\S+) in (.+) as (.+)$/, (tool, app, account) => t`Call ${tool} in ${app} as ${account}`],
  [/^Call (\+?[\d ()-]+): (.*)$/s, (number, text) => t`Call ${number}: ${text}`],
]

export const localizeSummary = (summary: string): string => renderSentence(SUMMARIES, summary)
