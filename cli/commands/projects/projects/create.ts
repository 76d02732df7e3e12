import { projects } from '../../../../contract/projects/projects.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { print, printData, printMessage, sanitize } from '../../../terminal.ts'
import { withRetry } from '../../files/retry.ts'
import { findProject, projectUrl } from './find.ts'

interface CreateOptions {
  server?: string
  json?: boolean
  description?: string
  prompt?: string
  emoji?: string
  private?: boolean
  template?: string
  from?: string
}

export async function createProject(
  name: string | undefined,
  options: CreateOptions,
  environment: CliEnvironment,
): Promise<void> {
  const { description, prompt, emoji, template } = options
  const isCopy = template !== undefined || options.from !== undefined
  checkOptions(name, options, isCopy)
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const visibility = options.private ? ('private' as const) : undefined
  const idempotencyKey = crypto.randomUUID()
  const projectId = options.from === undefined ? undefined : (await findProject(connection, options.from)).id
  const create = () =>
    isCopy
      ? client.templates.start(
          { template, projectId, name, description, emoji, visibility },
          { idempotencyKey },
        )
      : client.projects.create({ name, description, prompt, emoji, visibility }, { idempotencyKey })
  const created = await parseResponse(server, projects.create, withRetry(create))
  if (options.json) return printData(created)
  print(`${created.slug}  ${sanitize(created.name)}`)
  printMessage(projectUrl(server, created))
}

function checkOptions(name: string | undefined, options: CreateOptions, isCopy: boolean): void {
  if (options.template !== undefined && options.from !== undefined)
    throw new Failure('usage', 'Use either --template or --from')
  if (isCopy && options.prompt !== undefined)
    throw new Failure('usage', '--prompt cannot be combined with --template or --from')
  if (!isCopy && !name && !options.description)
    throw new Failure('usage', 'A project requires a name or a --description')
}

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
  printMessage(projectUrl(server, project))
  if (sessionId) printMessage(`Continue its conversation: npx atrium chat --session ${sessionId}`)
}
