import { readConfig } from '../../config/config.ts'
import { type Check, summarize } from './check.ts'
import { runChecklist } from './checklist.ts'

/** Prints the checklist. Fails if one of the checks has failed. */
export async function runCheck({ json = false }: { json?: boolean }): Promise<'ok' | 'failed'> {
  const checks = await runChecklist(readConfig(), new Date())
  process.stdout.write(json ? `${JSON.stringify({ checks }, null, 2)}\n` : `${render(checks)}\n`)
  return checks.some(({ state }) => state === 'failed') ? 'failed' : 'ok'
}

function render(checks: Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const lines = checks.map(({ name, state, text }) => `  ${state.padEnd(7)}  ${name.padEnd(width)}  ${text}`)
  return [...lines, '', `  ${summarize(checks)}`].join('\n')
}
