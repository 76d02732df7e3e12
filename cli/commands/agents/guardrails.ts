import type { Command } from 'commander'
import { GUARDRAIL_KINDS, GUARDRAIL_STAGES } from '../../../contract/agents/guardrail-options.ts'
import { guardrails } from '../../../contract/agents/guardrails.ts'
import { counted } from '../../../contract/counted.ts'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { print, printData, printMessage, sanitize } from '../../terminal.ts'

const HELP = `
<guardrail> is an id or a name. Create and edit guardrails in the dashboard, with step-up.

Examples:
  npx atrium guardrails ls
  npx atrium guardrails try 'No personal data' 'Write to ada@example.com'
`

export function addGuardrailCommands(program: Command, environment: CliEnvironment): void {
  const guardrails = program
    .command('guardrails')
    .description('List guardrails and try one on a text')
    .addHelpText('after', HELP)
    .exitOverride()
  command(guardrails, 'ls', 'List guardrails with their rules').action((options) =>
    listGuardrails(options, environment),
  )
  command(guardrails, 'try <guardrail> <text>', 'Try a guardrail on a text').action((ref, text, options) =>
    tryGuardrail(ref, text, options, environment),
  )
}

interface Options {
  server?: string
  json?: boolean
}

const readAll = async ({ server, client }: Connection) =>
  (await parseResponse(server, guardrails.list, client.guardrails.list())).items

async function listGuardrails(options: Options, environment: CliEnvironment): Promise<void> {
  const items = await readAll(await connect(options.server, environment))
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('No guardrails')
  for (const { name, kind, on, action, enabled, everywhere, agents } of items) {
    const agentsText = everywhere ? 'all agents' : counted(agents.length, 'agent')
    const state = enabled ? action : 'off'
    print(
      `${state.padEnd(6)}  ${sanitize(name)}  (${GUARDRAIL_KINDS[kind]}, ${GUARDRAIL_STAGES[on]}, ${agentsText})`,
    )
  }
}

/** A blocked text is a failure. */
async function tryGuardrail(
  ref: string,
  text: string,
  options: Options,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const found = (await readAll(connection)).filter(({ id, name }) => id === ref || name === ref)
  if (found.length === 0)
    throw new Failure(
      'failed',
      `Guardrail ${ref} not found`,
      'Run `npx atrium guardrails ls` to list guardrails.',
    )
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ')
    throw new Failure('usage', `${found.length} guardrails are named ${ref}: use an id`, `Ids: ${ids}`)
  }
  const guardrailId = found[0]!.id
  const result = await parseResponse(server, guardrails.try, client.guardrails.try({ guardrailId, text }))
  if (options.json) return printData(result)
  if (result.text === null) throw new Failure('failed', 'The guardrail blocks this text')
  print(sanitize(result.text))
  printMessage(result.matched ? `Matched: ${result.action}` : 'No match')
}
