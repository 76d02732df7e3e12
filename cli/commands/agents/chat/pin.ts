import { sessions } from '../../../../contract/agents/sessions.ts'
import { PASSAGE_LIMITS } from '../../../../contract/knowledge/passage-options.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { printData, printMessage } from '../../../terminal.ts'
import { requireId } from '../runs/find.ts'

interface PinOptions {
  server?: string
  json?: boolean
  off?: boolean
}

export async function pinSession(
  ref: string,
  options: PinOptions,
  environment: CliEnvironment,
): Promise<void> {
  const id = requireId(ref, 'session', 'chat ls')
  const { server, client } = await connect(options.server, environment)
  const knowledge = !options.off
  const session = await parseResponse(server, sessions.update, client.sessions.update({ id, knowledge }))
  if (options.json) return printData(session)
  if (!knowledge) return printMessage('Unpinned. Agents no longer find this session.')
  const characters = PASSAGE_LIMITS.conversation.toLocaleString('en')
  printMessage(`Pinned. For everyone in its project, agents find its newest ${characters} characters.`)
}
