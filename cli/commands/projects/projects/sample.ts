import { projects } from '../../../../contract/projects/projects.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { print, printData, printMessage, sanitize } from '../../../terminal.ts'
import { withRetry } from '../../files/retry.ts'
import { urlOf } from './find.ts'

export async function createSample(
  options: { server?: string; json?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const idempotencyKey = crypto.randomUUID()
  const create = () => client.projects.sample(undefined, { idempotencyKey })
  const created = await parseResponse(server, projects.sample, withRetry(create))
  if (options.json) return printData(created)
  const { project, sessionId } = created
  print(`${project.slug}  ${sanitize(project.name)}`)
  printMessage(urlOf(server, project))
  if (sessionId) printMessage(`Continue its conversation: npx atrium chat --session ${sessionId}`)
}
