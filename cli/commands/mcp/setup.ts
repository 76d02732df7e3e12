import { type ClientSetup, clientSetups } from '../../../contract/mcp/client-setups.ts'
import type { CliEnvironment } from '../../config.ts'
import { chooseServer } from '../../connect.ts'
import { readCredentials } from '../../credentials.ts'
import { print, printData, printMessage } from '../../terminal.ts'

/** Without ChatGPT, which users set up in the browser, and only with the sign-in. */
export const CLIENTS = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'codex', 'mcp-remote'] as const

interface Options {
  server?: string
  json?: boolean
  client?: (typeof CLIENTS)[number]
}

/** Prints how to connect a client to the MCP server of the selected server. Needs no sign-in. */
export async function printSetup(options: Options, environment: CliEnvironment): Promise<void> {
  const server = chooseServer(options.server, environment, await readCredentials(environment.folder))
  const url = `${server}/mcp`
  const setups = clientSetups(url)
  const chosenSetups = options.client ? setups.filter(({ id }) => id === options.client) : setups
  if (options.json) return printData({ url, clients: chosenSetups })
  if (!options.client) {
    print(url)
    printMessage(`\nChoose a client with --client: ${CLIENTS.join(', ')}`)
    printMessage('Keys: npx atrium keys create, with the scope mcp:read or mcp:write')
    return
  }
  for (const setup of chosenSetups) printClient(setup)
}

function printClient({ label, obstacle, signIn = [], key = [] }: ClientSetup): void {
  if (obstacle) printMessage(`${obstacle}\n`)
  for (const [title, steps] of [
    [`${label}, signing in with the browser`, signIn],
    [`${label}, with an API key`, key],
  ] as const) {
    if (steps.length === 0) continue
    printMessage(`# ${title}`)
    for (const { text, code } of steps) {
      printMessage(text)
      if (code) print(code)
    }
    printMessage()
  }
}
