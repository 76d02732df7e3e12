import { deviceLogin } from '../../../../contract/accounts/device-login.ts'
import { sessions } from '../../../../contract/agents/sessions.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { printData, printMessage, printTable, sanitize } from '../../../terminal.ts'
import { peopleUrl } from '../runs/find.ts'
import { type AgentSession, findSession } from './subject.ts'

interface ParticipantsOptions {
  server?: string
  json?: boolean
  add?: boolean
  remove?: string
  leave?: boolean
}

/** Adding a participant requires the browser and step-up. */
export async function changeParticipants(
  ref: string,
  options: ParticipantsOptions,
  environment: CliEnvironment,
): Promise<void> {
  const { add, remove, leave, json } = options
  if ([add, remove, leave].filter(Boolean).length > 1)
    throw new Failure('usage', 'Use one of --add, --remove and --leave')
  const connection = await connect(options.server, environment)
  const session = await findSession(connection, ref)
  if (add)
    throw new Failure(
      'refused',
      'You can only add participants in the browser',
      peopleUrl(connection.server, session.id),
    )
  const userId = remove ? participantOf(session, remove).userId : leave ? await findOwnId(connection) : null
  const currentSession = userId === null ? session : await removeParticipant(connection, session.id, userId)
  if (json) return printData({ items: currentSession.participants })
  if (userId !== null) printMessage(leave ? 'Left the session' : `Removed ${sanitize(remove!)}`)
  if (currentSession.participants.length === 0) return printMessage('The session has no participants')
  const rows = currentSession.participants.map(({ userId: id, name }) => [id, sanitize(name)])
  printTable([['ID', 'NAME'], ...rows])
}

const removeParticipant = ({ server, client }: Connection, id: string, userId: string) =>
  parseResponse(server, sessions.removeParticipant, client.sessions.removeParticipant({ id, userId }))

const findOwnId = async ({ server, client }: Connection) =>
  (await parseResponse(server, deviceLogin.me, client.deviceLogin.me())).user.id

/** Accepts an id or a unique name. */
function participantOf({ id, participants }: AgentSession, ref: string) {
  const found = participants.filter(({ userId, name }) => userId === ref.toLowerCase() || name === ref)
  if (found.length === 1) return found[0]!
  throw new Failure(
    'usage',
    found.length > 1
      ? `${found.length} participants are named ${ref}: use an id`
      : `${ref} isn’t a participant in this session`,
    `Run \`npx atrium chat participants ${id}\` to list them.`,
  )
}
