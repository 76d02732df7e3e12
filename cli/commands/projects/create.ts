import { projects } from '../../../contract/projects/projects.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { withRetry } from '../../files/retry.ts'
import { urlOf } from '../../projects/find.ts'
import { print, printData, printMessage, sanitize } from '../../terminal.ts'

interface CreateOptions {
  server?: string
  json?: boolean
  description?: string
  prompt?: string
  emoji?: string
  private?: boolean
}

export async function createProject(
  name: string | undefined,
  options: CreateOptions,
  environment: CliEnvironment,
): Promise<void> {
  const { description, prompt, emoji } = options
  if (!name && !description) throw new Failure('usage', 'A project requires a name or a --description')
  const { server, client } = await connect(options.server, environment)
  const visibility = options.private ? ('private' as const) : undefined
  const idempotencyKey = crypto.randomUUID()
  const create = () =>
    client.projects.create({ name, description, prompt, emoji, visibility }, { idempotencyKey })
  const created = await parseResponse(server, projects.create, withRetry(create))
  if (options.json) return printData(created)
  print(`${created.slug}  ${sanitize(created.name)}`)
  printMessage(urlOf(server, created))
}
