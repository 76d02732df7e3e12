import type { Command } from 'commander'
import { command } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { listGuardrails, tryGuardrail } from './guardrails.ts'

const HELP = `
<guardrail> is the id or name of a guardrail. Guardrails are created and changed in the dashboard, with step-up.

Examples:
  npx atrium guardrails ls
  npx atrium guardrails try 'No personal data' 'Write to ada@example.com'
`

/** Adds `atrium guardrails`. */
export function addGuardrailCommands(program: Command, environment: CliEnvironment): void {
  const guardrails = program
    .command('guardrails')
    .description('List guardrails, and try one on a text')
    .addHelpText('after', HELP)
    .exitOverride()
  command(guardrails, 'ls', 'List guardrails with their rules').action((options) =>
    listGuardrails(options, environment),
  )
  command(guardrails, 'try <guardrail> <text>', 'Show the effect of a guardrail on a text').action(
    (ref, text, options) => tryGuardrail(ref, text, options, environment),
  )
}
